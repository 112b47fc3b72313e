import { createServer } from 'node:net';
import { loadCatalogue } from '../../src/codec/catalogue/index.ts';
import { Gateway } from '../../src/gateway/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createLog } from '../../src/platform/log.ts';

/** The server side of the memory benchmark: a bare `net` server, or a gateway whose records are safe at once. */
const kind = process.argv[2];

async function listen(): Promise<number> {
  if (kind === 'bare') {
    const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
      socket.on('error', () => {});
      socket.on('data', () => socket.write(Uint8Array.of(1)));
    });
    return new Promise((resolve) => {
      server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () =>
        resolve((server.address() as { port: number }).port),
      );
    });
  }
  const protocols = (await loadCatalogue()).streams;
  const gateway = new Gateway(
    {
      host: '127.0.0.1',
      ports: [{ name: 'auto', port: 0, protocols, isRequired: true }],
      limits: {
        maxConnections: 100_000,
        maxUnidentifiedPerAddress: 1_000,
        identifyTimeoutMs: 30_000,
        idleTimeoutMs: 1_800_000,
        udpOnlineMs: 120_000,
        handshakeTimeoutMs: 10_000,
        requestTimeoutMs: 30_000,
        maxJunkBytes: 65_536,
        framesPerSlice: 256,
      },
      autoRegister: true,
      proxyProtocol: false,
    },
    { append: () => Promise.resolve(), hasRoom: true, onRoom: () => {} },
    systemClock,
    createLog('bench', 'warn'),
  );
  await gateway.open();
  return gateway.openPorts.find((p) => p.transport === 'tcp')!.port;
}

process.send!({ port: await listen() });
process.on('message', () => {
  for (let i = 0; i < 3; i++) globalThis.gc!();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send!({ bytes: heapUsed + external, rss });
});
process.on('disconnect', () => process.exit());
