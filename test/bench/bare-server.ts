import { createServer } from 'node:net';

/**
 * The reference: a `net` server that counts the records of whole packets and acknowledges them, and nothing more. It
 * runs in a process of its own and says its port on stdout.
 */
const server = createServer({ noDelay: true }, (socket) => {
  let held: Buffer | undefined;
  let isKnown = false;
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    let bytes = held === undefined ? chunk : Buffer.concat([held, chunk]);
    held = undefined;
    if (!isKnown) {
      if (bytes.length < 17) {
        held = bytes;
        return;
      }
      isKnown = true;
      bytes = bytes.subarray(17);
      socket.write(Uint8Array.of(1));
    }
    while (bytes.length >= 12) {
      const whole = bytes.readUInt32BE(4) + 12;
      if (bytes.length < whole) break;
      const answer = Buffer.alloc(4);
      answer.writeUInt32BE(bytes[9]!);
      socket.write(answer);
      bytes = bytes.subarray(whole);
    }
    if (bytes.length > 0) held = bytes;
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as { port: number }).port}\n`);
});
process.on('disconnect', () => process.exit());
