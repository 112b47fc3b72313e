import { AsyncLocalStorage } from 'node:async_hooks';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const PREFIX = '/admin/queues';

/** The board needs inline styles; its external fonts are blocked. */
const CSP = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export interface ShownQueue {
  // biome-ignore lint/suspicious/noExplicitAny: a BullMQ queue, whatever it lies on
  readonly queue: any;
  readonly displayName: string;
  readonly description: string;
}

export interface QueueBoard {
  /** Shows these queues of a part of the server, replacing those it showed before. */
  show(part: string, queues: readonly ShownQueue[]): void;
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
  app.register((scope, _options, done) => {
    scope.addHook('onSend', async (_request, reply) => {
      reply
        .header('content-security-policy', CSP)
        .header('x-frame-options', 'DENY')
        .header('referrer-policy', 'same-origin');
    });
    // after it is known who asks
    scope.addHook('preHandler', (request, _reply, done) => asking.run({ mayChange: mayChange(request) }, done));
    scope.register(serverAdapter.registerPlugin(), { prefix: PREFIX });
    done();
  });
  const shown = new Map<string, readonly BullMQAdapter[]>();
  return {
    show(part, queues) {
      const adapters = queues.map(({ queue, displayName, description }) => {
        const adapter = new BullMQAdapter(queue, { displayName, description });
        Object.defineProperty(adapter, 'readOnlyMode', { get: () => asking.getStore()?.mayChange !== true });
        return adapter;
      });
      shown.set(part, adapters);
      board.replaceQueues([...shown.values()].flat());
    },
  };
}
