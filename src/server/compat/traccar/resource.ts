import type { FastifyRequest } from 'fastify';
import type { App } from '../../kernel/http/index.ts';
import { isSeenBy } from './granted.ts';
import { groupNameOf } from './groups.ts';
import type { Kind } from './ids/service.ts';
import { type ListQuery, listQueryOf, pageOf } from './list-query.ts';
import type { Values } from './record-values.ts';
import { bodyOf, type Context, notImplemented, numberParameter } from './request.ts';
import { type RouteKit, traccarRoute } from './routes.ts';

type Shown = Readonly<{ id: number; [name: string]: unknown }>;

/** Records of a kind, with the five operations that Traccar has for each of them. */
export interface Resource {
  readonly path: string;
  readonly kind: Kind;
  /** members that a keyword is looked for in; lists are in the order of the first one */
  readonly searched: readonly string[];
  /** filters that have no answer here, and why */
  readonly refused?: Readonly<Partial<Record<'userId' | 'deviceId' | 'groupId', string>>>;
  list(context: Context, query: ListQuery): Promise<readonly Shown[]>;
  one(context: Context, key: string): Promise<Shown>;
  create(context: Context, body: Values): Promise<Shown>;
  change(context: Context, key: string, body: Values): Promise<Shown>;
  remove(context: Context, key: string): Promise<unknown>;
}

export function addResource(app: App, { contextOf }: RouteKit, resource: Resource): void {
  const { path, kind } = resource;
  const options = traccarRoute();
  const keyOf = ({ ids, tenantId }: Context, id: string): Promise<string> => ids.keyOf(tenantId, kind, id);
  app.get(`/${path}`, options, async (request) => {
    const query = listQueryOf(request);
    demandAnswered(resource, query);
    const found = await resource.list(contextOf(request), query);
    const { ids } = query;
    const named = ids.length === 0 || kind === 'device' ? found : found.filter(({ id }) => ids.includes(id));
    return pageOf(named, resource.searched, query);
  });
  app.post(`/${path}`, options, (request) => resource.create(contextOf(request), bodyOf(request)));
  const one = `/${path}/:id`;
  app.get(one, options, async (request) => {
    const context = contextOf(request);
    return resource.one(context, await keyOf(context, numberParameter(request)));
  });
  app.put(one, options, async (request) => {
    const context = contextOf(request);
    return resource.change(context, await keyOf(context, numberParameter(request)), bodyOf(request));
  });
  app.delete(one, options, async (request, reply) => {
    const context = contextOf(request);
    await resource.remove(context, await keyOf(context, numberParameter(request)));
    return reply.code(204).send();
  });
}

function demandAnswered({ refused = {} }: Resource, query: ListQuery): void {
  for (const name of ['userId', 'deviceId', 'groupId'] as const) {
    const why = refused[name];
    if (why !== undefined && query[name] > 0) throw notImplemented(why);
  }
}

/**
 * Record types of Traccar that do not exist here: lists are empty, and creating is refused.
 */
export function addEmpty(app: App, { contextOf }: RouteKit, path: string): void {
  const options = traccarRoute();
  const refuse = refusing(() => `There are no ${path} of Traccar: nothing here corresponds to them`);
  app.get(`/${path}`, options, async (request) => {
    await demandSeen(contextOf(request), listQueryOf(request));
    return [];
  });
  app.route({ ...options, ...refuse, method: ['GET', 'POST', 'PUT', 'DELETE'], url: `/${path}/*` });
  app.route({ ...options, ...refuse, method: 'POST', url: `/${path}` });
}

/** The user, the device and the group of a query. Throws AppError if the caller does not see them. */
async function demandSeen(context: Context, { userId, deviceId, groupId }: ListQuery): Promise<void> {
  const { ids, tenantId, fleet } = context;
  if (userId > 0) await isSeenBy(context, userId, undefined);
  if (deviceId > 0) await fleet.one(await ids.keyOf(tenantId, 'device', deviceId));
  if (groupId > 0) await groupNameOf(context, groupId);
}

/** A route that is refused before its body is read, of whatever type that is. */
export function refusing(why: (request: FastifyRequest) => string) {
  const refuse = (request: FastifyRequest): never => {
    throw notImplemented(why(request));
  };
  return { onRequest: async (request: FastifyRequest) => refuse(request), handler: refuse };
}
