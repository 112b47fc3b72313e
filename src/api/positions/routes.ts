import { positionsAnswer, positionsPush } from '../../contract/internal.ts';
import { principalOf } from '../http/access.ts';
import type { App } from '../http/server.ts';
import type { PushService } from './push.ts';

export function addPositionRoutes(app: App, pushes: PushService): void {
  app.post(
    '/v1/positions',
    {
      config: { access: ['positions:write'], audit: false, rateLimit: false },
      schema: {
        tags: ['positions'],
        summary: 'A batch of positions',
        description: 'Idempotent: a record that is stored already is counted as a duplicate and changes nothing.',
        body: positionsPush,
        response: { 200: positionsAnswer },
      },
      // record by record, so that one that is wrong does not refuse the others
      validatorCompiler: () => (value) => ({ value }),
    },
    async (request) => {
      const { accepted, duplicates, rejected } = await pushes.push(principalOf(request).tenantId, request.body);
      return { accepted, duplicates, rejected: [...rejected] };
    },
  );
}
