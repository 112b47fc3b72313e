import { randomUUID } from 'node:crypto';
import { AppError } from '../../../platform/errors.ts';
import type { App } from '../../kernel/http/index.ts';
import { isSeenBy } from './granted.ts';
import { withNested } from './groups.ts';
import { all } from './operations.ts';
import { attributesOf, numberOf, pick, textOf, type Values } from './record-values.ts';
import { bodyOf, type Context, flagOf, integerOf, notImplemented } from './request.ts';
import { addResource, type Resource } from './resource.ts';
import { type RouteKit, traccarRoute } from './routes.ts';

/** Names of commands that protocols take; all of them without a protocol. */
export type CommandTypes = (protocol: string | undefined) => readonly string[];

const CUSTOM = 'custom';
const KEPT = ['description', 'type', 'textChannel', 'attributes'] as const;
const TO_WRITE = 'commands:write';

interface OwnCommand {
  readonly commandId: string;
  readonly imei: string;
  readonly gprsCommand: string | null;
  readonly type: string;
  readonly attributes: object;
}

/** A saved command is a template that nothing here but these clients knows. */
const show = (id: number, data: Values) => ({
  id,
  deviceId: 0,
  description: textOf(data['description']) ?? '',
  type: textOf(data['type']) ?? CUSTOM,
  textChannel: false,
  attributes: attributesOf(data),
});

const allSaved = async ({ ids, tenantId }: Context) =>
  (await ids.allData(tenantId, 'command')).map(({ id, data }) => show(id, data));

const saved: Resource = {
  path: 'commands',
  kind: 'command',
  searched: ['description'],
  refused: {
    deviceId:
      'Saved commands belong to the tenant, they are not linked to devices here: /commands/send has those that a device takes',
    groupId: 'Saved commands belong to the tenant, they are not linked to groups here',
  },
  async list(context, { userId, all: isAll }) {
    if (userId > 0 && !isAll) await isSeenBy(context, userId, undefined);
    return allSaved(context);
  },
  one: async (context, key) => savedBy(context, key),
  create: (context, body) => save(context, randomUUID(), body),
  async change(context, key, body) {
    await savedBy(context, key);
    return save(context, key, body);
  },
  async remove(context, key) {
    await savedBy(context, key);
    demandWrite(context);
    await context.ids.setData(context.tenantId, 'command', new Map([[key, null]]));
  },
};

async function savedBy({ ids, tenantId }: Context, key: string) {
  const data = (await ids.dataOf(tenantId, 'command', [key])).get(key);
  if (data === undefined) throw new AppError('not-found', 'There is no such saved command');
  return show(await ids.numberOf(tenantId, 'command', key), data);
}

async function save(context: Context, key: string, body: Values) {
  demandWrite(context);
  demandData(body);
  await context.ids.setData(context.tenantId, 'command', new Map([[key, pick(body, KEPT)]]));
  return savedBy(context, key);
}

/** Saved commands have no operation in this API: the scope of commands is required. */
function demandWrite({ caller }: Context): void {
  if (!caller.principal.scopes.has(TO_WRITE)) throw new AppError('missing-scope', `The scope ${TO_WRITE} is needed`);
}

function demandData({ textChannel }: Values): void {
  if (textChannel === true) throw notImplemented('Commands are not sent by SMS here');
}

export function addCommands(app: App, kit: RouteKit, typesOf: CommandTypes): void {
  const { contextOf } = kit;
  const options = traccarRoute();

  app.get('/commands/types', options, async (request) => {
    const context = contextOf(request);
    const deviceId = integerOf(request, 'deviceId');
    if (flagOf(request, 'textChannel')) return [];
    const types = deviceId === 0 ? typesOf(undefined) : await typesFor(context, deviceId, typesOf);
    return types.map((type) => ({ type }));
  });

  app.get('/commands/send', options, async (request) => {
    const context = contextOf(request);
    const deviceId = integerOf(request, 'deviceId');
    const records = await allSaved(context);
    if (deviceId === 0) return records;
    const types = await typesFor(context, deviceId, typesOf);
    return records.filter(({ type }) => types.includes(String(type)));
  });

  app.post('/commands/send', options, async (request, reply) => {
    const context = contextOf(request);
    const body = bodyOf(request);
    const groupId = integerOf(request, 'groupId');
    const number = numberOf(body['id']);
    const template: Values =
      number > 0 ? await savedBy(context, await context.ids.keyOf(context.tenantId, 'command', number)) : body;
    demandData(template);
    if (groupId > 0) return reply.code(202).send(await sendToGroup(context, groupId, template));
    const { ids, tenantId } = context;
    const imei = await ids.keyOf(tenantId, 'device', body['deviceId']);
    return reply.code(202).send(await send(context, imei, template));
  });

  // open commands of a device, which other versions of Traccar list here
  app.get('/commands/queue', options, async (request) => {
    const context = contextOf(request);
    const deviceId = integerOf(request, 'deviceId');
    const imei = deviceId === 0 ? undefined : await context.ids.keyOf(context.tenantId, 'device', deviceId);
    const open = context.operations.list<OwnCommand>('/v1/gprsCommands/', { imei, status: 'pending' });
    return Promise.all((await all(open)).map((own) => queued(context, own)));
  });
  addResource(app, kit, saved);
}

/** If the protocol of the device is unknown, only text commands are possible. */
async function typesFor({ ids, tenantId, fleet }: Context, device: unknown, typesOf: CommandTypes) {
  const { protocol } = await fleet.one(await ids.keyOf(tenantId, 'device', device));
  return protocol === null ? [CUSTOM] : typesOf(protocol);
}

async function send(context: Context, imei: string, template: Values) {
  const type = textOf(template['type']) ?? CUSTOM;
  const attributes = attributesOf(template) as Readonly<Record<string, unknown>>;
  const { data, noQueue: _, ...parameters } = attributes;
  const request = type === CUSTOM ? { gprsCommand: String(data ?? '') } : { type, attributes: parameters };
  const { commandId } = await context.operations.call<{ commandId: string }>('POST', '/v1/gprsCommands/', {
    imei,
    ...request,
  });
  return queued(context, { commandId, imei, gprsCommand: null, type, attributes });
}

async function sendToGroup(context: Context, number: number, template: Values) {
  const groups = await withNested(context, [number]);
  const members = (await context.fleet.all()).filter(({ device }) => groups.has(device.groupId));
  if (members.length === 0) await context.ids.keyOf(context.tenantId, 'group', number);
  const sent = [];
  for (const { imei } of members) sent.push(await send(context, imei, template));
  return sent;
}

async function queued({ ids, tenantId }: Context, { commandId, imei, gprsCommand, type, attributes }: OwnCommand) {
  return {
    id: await ids.numberOf(tenantId, 'queued', commandId),
    deviceId: await ids.numberOf(tenantId, 'device', imei),
    type,
    textChannel: false,
    attributes: gprsCommand === null ? attributes : { data: gprsCommand },
  };
}
