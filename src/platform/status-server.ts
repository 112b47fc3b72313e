import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import { systemClock } from './clock.ts';
import { bearsToken } from './metrics-access.ts';
import { type Check, createMemory, readinessOf } from './readiness.ts';

export interface StatusServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Requests here have no body and a short head. */
const REQUEST_TIMEOUT_MS = 10_000;
/** interval at which Node.js checks for timed-out requests */
const TIMEOUT_CHECK_INTERVAL_MS = 2_000;

/** `/healthz`, `/readyz` and `/metrics` of a process that serves no other HTTP. */
export async function serveStatus(
  listen: {
    readonly host: string;
    readonly port: number;
    readonly requestTimeoutMs?: number;
    /** bearer tokens that metrics are read with; `public`: with none */
    readonly metricsTokens: readonly string[] | 'public';
  },
  checks: () => readonly Check[],
  registry: Registry,
): Promise<StatusServer> {
  const { metricsTokens } = listen;
  const mayReadMetrics = ({ headers }: IncomingMessage): boolean =>
    metricsTokens === 'public' || bearsToken(headers.authorization, metricsTokens);
  const remember = createMemory(systemClock.now);
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = (status: number, type: string, body: string): void => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    };
    const path = request.url?.split('?', 1)[0];
    if (request.method !== 'GET' && request.method !== 'HEAD') answer(405, 'text/plain', 'GET only\n');
    else if (path === '/healthz') answer(200, 'application/json', '{"status":"ok"}');
    else if (path === '/readyz') {
      const readiness = readinessOf(remember(checks()));
      answer(readiness.status === 'not-ready' ? 503 : 200, 'application/json', JSON.stringify(readiness));
    } else if (path === '/metrics') {
      if (mayReadMetrics(request)) answer(200, registry.contentType, await registry.metrics());
      else {
        response.setHeader('www-authenticate', 'Bearer');
        answer(401, 'text/plain', 'METRICS_TOKEN is needed\n');
      }
    } else answer(404, 'text/plain', 'valid paths: /healthz, /readyz, /metrics\n');
  };
  const { host, port, requestTimeoutMs: requestTimeout = REQUEST_TIMEOUT_MS } = listen;
  const timeouts = {
    requestTimeout,
    headersTimeout: requestTimeout,
    connectionsCheckingInterval: Math.min(requestTimeout, TIMEOUT_CHECK_INTERVAL_MS),
  };
  const server = createServer(timeouts, (request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  return { port: portOf(server), close: () => closeServer(server) };
}

const portOf = (server: Server): number => (server.address() as { port: number }).port;

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
