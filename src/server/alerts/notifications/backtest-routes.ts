import pLimit from 'p-limit';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { type App, instantMember, member, principalOf, tenantOf, text, toInstant } from '../../kernel/http/index.ts';
import type { Rules } from './rules/service.ts';
import { MAX_USERS, type RuleData, savedRule } from './schema.ts';

/**
 * Evaluates a rule over stored data of a tenant. Throws AppError `too-many-positions`, `not-backtestable`. Times are epoch
 * ms.
 */
export type Backtest = (request: {
  readonly tenantId: number;
  /** in the language of this user; undefined: English */
  readonly userId?: string | undefined;
  readonly rule: {
    readonly type: RuleData['type'];
    readonly priority: string;
    readonly timezone: string;
    readonly data: RuleData;
  };
  readonly vehicleIds: readonly string[];
  readonly deviceIds: readonly number[];
  readonly geofences: readonly string[];
  readonly from: number;
  readonly to: number;
}) => Promise<{
  readonly messages: readonly {
    readonly at: number;
    readonly vehicle: string;
    readonly title: string;
    readonly body: string;
    readonly latitude: number | null;
    readonly longitude: number | null;
  }[];
  readonly evaluatedPositions: number;
}>;

export interface BacktestDeps {
  readonly rules: Pick<Rules, 'preview'>;
  readonly backtest: Backtest;
  readonly mostDays: number;
  readonly atOnce: number;
}

const testedRule = savedRule
  .extend({
    users: z
      .array(text(200, 1, 'carla'))
      .max(MAX_USERS)
      .default([])
      .describe('not needed: nobody is notified'),
  })
  .describe('a rule as `PUT /v1/{version}/notifications` takes it');
const body = z
  .object({
    rule: testedRule.optional(),
    notification_data: testedRule.optional(),
    from: instantMember('from'),
    to: instantMember('to'),
  })
  .refine(({ rule, notification_data: data }) => (rule === undefined) !== (data === undefined), {
    error: 'exactly one of rule and notification_data',
    path: ['rule'],
  });

const answer = z.object({
  messages: z.array(
    z.object({
      at: instant,
      vehicle: z.string().describe('plate, or the id of a device in no vehicle'),
      title: z.string(),
      body: z.string(),
      latitude: member.latitude.nullable(),
      longitude: member.longitude.nullable(),
    }),
  ),
  evaluatedPositions: z.number().int(),
});

export function addBacktestRoute(app: App, { rules, backtest, mostDays, atOnce }: BacktestDeps): void {
  const limit = pLimit(atOnce);
  app.post(
    '/v1/notifications/backtest',
    {
      config: {
        access: ['notifications:read', 'positions:read'],
        refersTo: ['unknown-vehicle', 'unknown-user', 'unknown-group', 'unknown-geofence'],
        errors: [
          ...(['from-after-to', 'interval-too-long', 'too-many-positions', 'not-backtestable'] as const),
          ...(['unknown-timezone', 'polygon-not-closed', 'polygon-self-intersects'] as const),
        ],
      },
      schema: {
        tags: ['notifications'],
        summary: 'Messages that a rule would have sent',
        description:
          'Evaluates a rule over stored positions (`device_offline`: their arrivals; `command_result`: stored commands), ' +
          'as if it had been created at `from` and everything had arrived in order. Nothing is stored and nobody is ' +
          'notified. Rules of type `ddd_due` and `infringement` cannot be backtested. Oldest first; at most ' +
          '`BACKTEST_DAYS` days and `BACKTEST_POSITIONS` positions. `notification_data` is another name of `rule`.',
        body: body.meta({
          example: {
            rule: { type: 'overspeed', vehicles: ['AB123CD'], params: { limitKmh: 90 }, timezone: 'Europe/Rome' },
            from: '2026-05-01T08:00:00Z',
            to: '2026-05-01T18:00:00Z',
          },
        }),
        response: { 200: answer },
      },
    },
    async (request) => {
      const { rule: asRule, notification_data: asData, from, to } = request.body;
      if (from > to) throw new AppError('from-after-to');
      if (to - from > mostDays * DAY_MS) throw new AppError('interval-too-long', `At most ${mostDays} days`);
      const tenantId = tenantOf(request);
      const { changeable: _, ...given } = (asRule ?? asData)!;
      const by = principalOf(request);
      const userId = by.kind === 'user' ? by.id : undefined;
      const at = asRule === undefined ? '/notification_data' : '/rule';
      const { data, timezone, ...named } = await rules.preview(by, tenantId, given, at);
      const rule = { type: data.type, priority: data.priority, timezone, data };
      const { messages, evaluatedPositions } = await limit(() =>
        backtest({ tenantId, userId, rule, ...named, from, to }),
      );
      return { messages: messages.map((one) => ({ ...one, at: toInstant(one.at) })), evaluatedPositions };
    },
  );
}
