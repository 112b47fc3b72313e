import { request } from 'undici';
import { z } from 'zod';
import { UsageError } from '../usage.ts';

const named = z.object({ id: z.number(), name: z.string() });
const attributes = z.record(z.string(), z.unknown()).nullish();

const group = named.extend({ groupId: z.number().nullish() });
const device = named.extend({
  uniqueId: z.string(),
  groupId: z.number().nullish(),
  disabled: z.boolean().nullish(),
  model: z.string().nullish(),
});
const driver = named.extend({ uniqueId: z.string() });
const geofence = named.extend({ description: z.string().nullish(), area: z.string(), attributes });
const user = named.extend({
  login: z.string().nullish(),
  email: z.string().nullish(),
  administrator: z.boolean().nullish(),
  readonly: z.boolean().nullish(),
  deviceReadonly: z.boolean().nullish(),
  disabled: z.boolean().nullish(),
  userLimit: z.number().nullish(),
});

export type TraccarGroup = z.output<typeof group>;
export type TraccarDevice = z.output<typeof device>;
export type TraccarDriver = z.output<typeof driver>;
export type TraccarGeofence = z.output<typeof geofence>;
export type TraccarUser = z.output<typeof user>;

/** Data that a Traccar server returns to an authorized user. */
export interface TraccarFleet {
  readonly groups: readonly TraccarGroup[];
  readonly devices: readonly TraccarDevice[];
  readonly drivers: readonly TraccarDriver[];
  readonly geofences: readonly TraccarGeofence[];
  readonly users: readonly TraccarUser[];
  /** user's id → ids of the devices that are the user's */
  readonly devicesOf: ReadonlyMap<number, readonly number[]>;
}

export type TraccarLogin = { readonly token: string } | { readonly user: string; readonly password: string };

/** Reads the documented REST API of Traccar. Throws UsageError for errors that the operator can fix. */
export async function readTraccar(url: string, login: TraccarLogin): Promise<TraccarFleet> {
  const base = `${url.replace(/\/+$/, '').replace(/\/api$/, '')}/api`;
  const authorization =
    'token' in login
      ? `Bearer ${login.token}`
      : `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;
  const get = async (path: string): Promise<{ status: number; body: unknown }> => {
    const asked = request(base + path, { headers: { authorization, accept: 'application/json' } });
    const { statusCode, body } = await asked.catch((error: Error) => {
      throw new UsageError(`${base} does not answer: ${error.message}`);
    });
    const text = await body.text();
    if (statusCode === 401) throw new UsageError('Traccar does not accept the token or password');
    return { status: statusCode, body: parse(text) };
  };
  const list = async <T extends z.ZodType>(path: string, item: T): Promise<z.output<T>[]> => {
    const { status, body } = await get(path);
    const parsed = status === 200 ? z.array(item).safeParse(body) : undefined;
    if (parsed?.success === true) return parsed.data;
    throw new UsageError(`GET ${path} of Traccar answered ${status} with an unexpected body`);
  };
  // administrators and managers receive all records, others their own
  const all = async <T extends z.ZodType>(path: string, item: T): Promise<z.output<T>[]> => {
    const { status } = await get(`${path}?all=true`);
    return list(status === 200 ? `${path}?all=true` : path, item);
  };
  const groups = await all('/groups', group);
  const devices = await all('/devices', device);
  const drivers = await all('/drivers', driver);
  const geofences = await all('/geofences', geofence);
  const users = await list('/users', user);
  const devicesOf = new Map<number, number[]>();
  for (const { id, administrator } of users) {
    if (administrator === true) continue;
    devicesOf.set(
      id,
      (await list(`/devices?userId=${id}`, device)).map((each) => each.id),
    );
  }
  return { groups, devices, drivers, geofences, users, devicesOf };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
