import type pg from 'pg';
import { z } from 'zod';
import { noteChange } from '../../kernel/audit/index.ts';
import { type App, isWellFormed, tenantOf } from '../../kernel/http/index.ts';
import { readSettings, type TenantSettings, writeSettings } from './store.ts';

const pattern = z
  .string()
  .regex(/^[^\0]{2,200}$/)
  .refine(isWellFormed, { error: 'contains half of a surrogate pair' })
  .refine((text) => /[^*\s]/.test(text), { error: 'matches everything' });

const commandSettings = z.strictObject({
  dangerousCommands: z
    .array(pattern)
    .max(200)
    .default([])
    .describe('found anywhere in a command’s text, in either case; * stands for anything'),
  wakeUpUrl: z
    .url({ protocol: /^https?$/, normalize: true })
    .max(2_000)
    .nullable()
    .default(null)
    .describe('notified of commands that wait for an offline device'),
});
type CommandSettings = z.output<typeof commandSettings>;

export interface SettingsDeps {
  readonly app: pg.Pool;
  readonly checkUrl: (url: string) => Promise<void>;
  /** called after a tenant has set a wake-up URL */
  readonly watchPending: (tenantId: number) => Promise<void>;
}

export function addSettingsRoutes(server: App, { app, checkUrl, watchPending }: SettingsDeps): void {
  const tags = ['gprsCommands'];
  server.get(
    '/v1/gprsCommands/settings',
    {
      config: { access: ['commands:read'] },
      schema: { tags, summary: 'What the tenant has set about commands', response: { 200: commandSettings } },
    },
    async (request) => view(await readSettings(app, tenantOf(request))),
  );
  server.put(
    '/v1/gprsCommands/settings',
    {
      config: { access: ['commands:write', 'commands:privileged'], errors: ['private-address'] },
      schema: {
        tags,
        summary: 'Set which commands are privileged, and who wakes devices up',
        description: 'Replaces all of it. Patterns come on top of what the protocols mark as privileged.',
        body: commandSettings.meta({ example: { dangerousCommands: ['factory*'], wakeUpUrl: null } }),
        response: { 200: commandSettings },
      },
    },
    async (request) => {
      const tenantId = tenantOf(request);
      const { wakeUpUrl } = request.body;
      if (wakeUpUrl !== null) await checkUrl(wakeUpUrl);
      const before = view(await readSettings(app, tenantId));
      await writeSettings(app, tenantId, request.body);
      noteChange(request, { object: 'commands', before, after: request.body });
      if (wakeUpUrl !== null) await watchPending(tenantId);
      return request.body;
    },
  );
}

const view = ({ dangerousCommands, wakeUpUrl }: TenantSettings): CommandSettings => ({
  dangerousCommands: [...dangerousCommands],
  wakeUpUrl,
});
