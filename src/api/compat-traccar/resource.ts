import type { App } from '../http/index.ts';
import type { Kind } from './ids/service.ts';
import type { Values } from './record-values.ts';
import { bodyOf, type Context, notImplemented, numberParameter, queryOf, valuesOf } from './request.ts';
import { type RouteKit, traccarRoute } from './routes.ts';

type Shown = Readonly<{ id: number; [name: string]: unknown }>;

/** Records of a kind, with the five operations that Traccar has for each of them. */
export interface Resource {
  readonly path: string;
  readonly kind: Kind;
  list(context: Context, query: Values): Promise<readonly Shown[]>;
  one(context: Context, key: string): Promise<Shown>;
  create(context: Context, body: Values): Promise<Shown>;
  change(context: Context, key: string, body: Values): Promise<Shown>;
  remove(context: Context, key: string): Promise<unknown>;
}

export function addResource(app: App, { contextOf }: RouteKit, resource: Resource): void {
  const { path, kind } = resource;
  const options = traccarRoute();
  const keyOf = ({ ids, tenantId }: Context, id: string): Promise<string> => ids.keyOf(tenantId, kind, id);
  app.get(`/${path}`, options, async (request) =>
    select(
      await resource.list(contextOf(request), queryOf(request)),
      queryOf(request),
      resource.kind === 'device' ? [] : valuesOf(request, 'id'),
    ),
  );
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

/** Records of Traccar that nothing here corresponds to: there are none, and none are made. */
export function addEmpty(app: App, path: string): void {
  const options = traccarRoute();
  app.get(`/${path}`, options, async () => []);
  app.route({
    ...options,
    method: ['POST', 'PUT', 'DELETE'],
    url: `/${path}/*`,
    handler: () => refuse(path),
  });
  app.post(`/${path}`, options, () => refuse(path));
}

function refuse(path: string): never {
  throw notImplemented(`There are no ${path} of Traccar here`);
}

/** `keyword`, `offset` and `limit`, which every list takes. */
export function select<T extends Shown>(records: readonly T[], query: Values, ids: readonly string[] = []): T[] {
  const { keyword, limit, offset } = query;
  const word = String(keyword ?? '').toLowerCase();
  const found = records.filter((record) => {
    if (ids.length > 0 && !ids.includes(String(record.id))) return false;
    const texts = [record['name'], record['uniqueId'], record['description'], record['email'], record['phone']];
    return (
      word === '' ||
      texts.some((text) =>
        String(text ?? '')
          .toLowerCase()
          .includes(word),
      )
    );
  });
  const first = Math.max(0, Math.trunc(Number(offset ?? 0)) || 0);
  const most = Math.trunc(Number(limit ?? 0)) || 0;
  return most > 0 ? found.slice(first, first + most) : found.slice(first);
}
