import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import { type App, member, principalOf, tenantOf } from '../../kernel/http/index.ts';
import { recordName } from '../../kernel/records/index.ts';
import { isRuleId, type Rules } from './rules/service.ts';
import type { Notifications } from './service.ts';

const tags = ['notifications'];
const write = { access: ['notifications:write'] } as const;

const removed = z.object({ message: member.message, deleted: z.number().int(), ids: z.array(z.string()) });
const kind = z.enum(['rule', 'message']).optional().describe('not needed: ids say it (`nrl_`, `ntf_`)');
const MAX_IDS = 500;

export interface RemovalDeps {
  readonly rules: Rules;
  readonly notifications: Notifications;
}

/** Deletes rules and messages; the prefix of an id tells which it is. */
export function addRemovalRoutes(app: App, { notifications, rules }: RemovalDeps): void {
  const remove = async (request: FastifyRequest, ids: readonly string[], only: 'rule' | 'message' | undefined) => {
    const by = principalOf(request);
    const tenantId = tenantOf(request);
    const ofRules = only === 'message' ? [] : ids.filter(isRuleId);
    const ofMessages = only === 'rule' ? [] : ids.filter((id) => !isRuleId(id));
    const gone = [
      ...(ofRules.length === 0 ? [] : await rules.remove(by, tenantId, ofRules)),
      ...(await notifications.remove(by, tenantId, ofMessages)),
    ];
    if (gone.length === 0) throw new AppError('unknown-notification');
    noteChange(request, { object: gone.join(',').slice(0, 1_000) });
    return { message: `${gone.length} deleted`, deleted: gone.length, ids: gone };
  };
  app.delete(
    '/v1/notifications/:id',
    {
      config: { ...write, errors: ['unknown-notification', 'rule-owned-by-system'] },
      schema: {
        tags,
        summary: 'Delete a rule or a message',
        params: z.object({ id: recordName.meta({ example: 'nrl_night' }) }),
        querystring: z.object({ kind }),
        response: { 200: removed },
      },
    },
    (request) => remove(request, [request.params.id], request.query.kind),
  );
  app.delete(
    '/v1/notifications',
    {
      config: { ...write, errors: ['unknown-notification', 'rule-owned-by-system'] },
      schema: {
        tags,
        summary: 'Delete rules and messages',
        querystring: z.object({
          ids: z
            .string()
            .max(50_000)
            .transform((given) => [...new Set(given.split(',').map((id) => id.trim()))].filter((id) => id !== ''))
            .refine((ids) => ids.length >= 1 && ids.length <= MAX_IDS, { error: `1 to ${MAX_IDS} ids, by commas` })
            .meta({ example: 'nrl_night' }),
          kind,
        }),
        response: { 200: removed },
      },
    },
    (request) => remove(request, request.query.ids, request.query.kind),
  );
}
