import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { type App, text, textLike } from '../../kernel/http/index.ts';

const option = z.object({
  name: z.string(),
  type: z.enum(['string', 'number', 'boolean']),
  title: z.string(),
  default: z.union([z.string(), z.number(), z.boolean()]).nullable(),
});

const protocolSummary = z.object({
  id: textLike('teltonika'),
  title: z.string(),
  vendor: z.string(),
  models: z.array(z.string()),
  transports: z.array(z.enum(['tcp', 'udp', 'http'])),
});

const protocol = protocolSummary
  .extend({
    host: z.string().nullable().describe('that devices connect to: setting DEVICE_HOST'),
    port: z
      .number()
      .int()
      .nullable()
      .describe('that accepts the protocol by the settings of the API; null: none does, PORT_… or PROTOCOLS opens one'),
    service: z.string().describe('the name in PROTOCOLS and PORT_…'),
    setup: z.array(z.string()).describe('what is written into a device; {host} and {port} are to be replaced'),
    options: z.array(option).describe('options of its devices'),
  })
  .meta({ id: 'Protocol' });
export type ShownProtocol = Readonly<z.output<typeof protocol>>;

/** Supported protocols and device models, and how devices are configured. */
export function addProtocolRoutes(app: App, protocols: readonly ShownProtocol[]): void {
  const tags = ['devices'];
  const config = { access: ['devices:read'] } as const;
  app.get(
    '/v1/protocols',
    {
      config,
      schema: {
        tags,
        summary: 'Protocols that devices may speak',
        response: { 200: z.object({ items: z.array(protocolSummary) }) },
      },
    },
    async () => ({ items: protocols.map((each) => protocolSummary.parse(each)) }),
  );
  app.get(
    '/v1/protocols/:protocol',
    {
      config: { ...config, errors: ['not-found'] },
      schema: {
        tags,
        summary: 'A protocol: the setup of its devices, and their options',
        params: z.object({ protocol: text(64, 1, 'teltonika') }),
        response: { 200: protocol },
      },
    },
    async ({ params }) => {
      const found = protocols.find(({ id }) => id === params.protocol);
      if (found === undefined) throw new AppError('not-found', 'There is no such protocol');
      return found;
    },
  );
}
