import { AsyncLocalStorage } from 'node:async_hooks';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const PREFIX = '/admin/queues';

/** The board's own files need inline styles; its fonts from elsewhere are not fetched. */
const CSP = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export interface QueueBoard {
  /** Shows this queue, in place of the one before. */
  // biome-ignore lint/suspicious/noExplicitAny: a BullMQ queue, whatever it lies on
  show(queue: any): void;
}

/** bull-board, which changes nothing for those who may only look. */
export function addQueueBoard(app: FastifyInstance, mayChange: (request: FastifyRequest) => boolean): QueueBoard {
  const asking = new AsyncLocalStorage<{ readonly mayChange: boolean }>();
  const serverAdapter = new FastifyAdapter();
  serverAdapter.setBasePath(PREFIX);
  const board = createBullBoard({
    queues: [],
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Fleetgate', miscLinks: [{ text: 'Console', url: '/console' }] } },
  });
  app.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply) => {
      reply
        .header('content-security-policy', CSP)
        .header('x-frame-options', 'DENY')
        .header('referrer-policy', 'same-origin');
    });
    // after it is known who asks
    scope.addHook('preHandler', (request, _reply, done) => asking.run({ mayChange: mayChange(request) }, done));
    scope.register(serverAdapter.registerPlugin(), { prefix: PREFIX });
  });
  return {
    show(queue) {
      const adapter = new BullMQAdapter(queue, {
        displayName: 'GPRS commands',
        description: 'delayed = open, completed = acknowledged, failed = failed, expired, cancelled or unknown',
      });
      Object.defineProperty(adapter, 'readOnlyMode', { get: () => asking.getStore()?.mayChange !== true });
      board.replaceQueues([adapter]);
    },
  };
}
