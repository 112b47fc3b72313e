import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Request latency by route pattern; all unknown paths share one label value. */
export function addLatency(app: FastifyInstance, registry: Registry): void {
  const histogram = new Histogram({
    name: 'fleetgate_http_request_seconds',
    help: 'duration of requests to the REST API, from their head to the end of the answer',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    const route = request.is404 ? 'unknown' : (routeOptions.url ?? 'unknown');
    histogram.observe({ method, route, status: `${Math.trunc(reply.statusCode / 100)}xx` }, reply.elapsedTime / 1000);
    done();
  });
}
