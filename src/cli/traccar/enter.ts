import { request } from 'undici';
import { UsageError } from '../usage.ts';
import type { Plan } from './plan.ts';

/** The REST API that receives the records. */
export interface Target {
  readonly url: string;
  readonly key: string;
  /** only says what would be done */
  readonly isDry: boolean;
}

export interface Tally {
  readonly made: Readonly<Record<string, number>>;
  readonly there: Readonly<Record<string, number>>;
  /** one line each: what the API refused, and why */
  readonly refused: readonly string[];
}

interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what is read of it is checked where it is read
  readonly body: any;
}

interface Wanted {
  readonly kind: string;
  readonly name: string;
  /** where it would be found, if it were there */
  readonly look: string;
  /** of a list, which of them it is */
  readonly isIt?: (item: Readonly<Record<string, unknown>>) => boolean;
  readonly path: string;
  readonly body: object;
}

/**
 * Creates records that do not exist; existing records are not changed, so a repetition has no effect. Throws UsageError
 * before it enters anything if the tenant cannot register all devices.
 */
export async function enterPlan(plan: Plan, target: Target): Promise<Tally> {
  await requireRoom(plan, target);
  const made: Record<string, number> = {};
  const there: Record<string, number> = {};
  const refused: string[] = [];
  for (const wanted of everythingOf(plan)) {
    const { kind, name } = wanted;
    if (await isThere(wanted, target)) {
      there[kind] = (there[kind] ?? 0) + 1;
      continue;
    }
    const answer = target.isDry ? undefined : await send(target, 'POST', wanted.path, wanted.body);
    if (answer === undefined || answer.status === 200) made[kind] = (made[kind] ?? 0) + 1;
    else refused.push(`${kind} ${name}: ${answer.body?.code ?? answer.status} ${answer.body?.detail ?? ''}`.trim());
  }
  return { made, there, refused };
}

async function requireRoom({ vehicles }: Plan, target: Target): Promise<void> {
  const { status, body } = await send(target, 'GET', '/v1/devices/room');
  // older servers do not return it
  if (status === 404) return;
  if (status !== 200) throw new UsageError(`GET /v1/devices/room answered ${status}`);
  const { limit, left } = body as { limit: number | null; left: number | null };
  if (left === null || vehicles.length <= left) return;
  let isNew = 0;
  for (const { imei } of vehicles) {
    const look = `/v1/devices/${encodeURIComponent(imei)}`;
    const { status: found } = await send(target, 'GET', look);
    if (found === 404) isNew += 1;
    else if (found !== 200) throw new UsageError(`GET ${look} answered ${found}`);
  }
  if (isNew > left)
    throw new UsageError(
      `${isNew} devices are new and ${left} can still be registered, so nothing was imported: DEVICES_UNSEEN_PER_TENANT, ` +
        `the number of registered devices that have never sent anything, is ${limit}; increase it on the server`,
    );
}

async function isThere({ look, isIt }: Wanted, target: Target): Promise<boolean> {
  const { status, body } = await send(target, 'GET', look);
  if (status === 404) return false;
  if (status !== 200) throw new UsageError(`GET ${look} answered ${status}`);
  return isIt === undefined ? true : (body.items as Record<string, unknown>[]).some(isIt);
}

/** Records that others refer to come first. */
function* everythingOf(plan: Plan): Generator<Wanted> {
  const by = (kind: string, path: string, name: string, body: object): Wanted => ({
    kind,
    name,
    path,
    body,
    look: `${path}/${encodeURIComponent(name)}`,
  });
  for (const group of plan.groups) yield by('group', '/v1/groups', group.name, group);
  for (const { imei, name, targa, model, group } of plan.vehicles) {
    yield by('device', '/v1/devices', imei, { imei, name, options: model === undefined ? {} : { model } });
    yield by('vehicle', '/v1/vehicles', targa, { targa, model, group });
    yield {
      kind: 'pairing',
      name: `${imei} in ${targa}`,
      path: '/v1/pairings',
      body: { imei, targa },
      look: `/v1/pairings?imei=${imei}`,
      isIt: () => true,
    };
  }
  for (const driver of plan.drivers) {
    yield {
      kind: 'driver',
      name: driver.name,
      path: '/v1/drivers',
      body: driver,
      look: `/v1/drivers?limit=500&q=${encodeURIComponent(driver.uniqueId.slice(0, 100))}`,
      isIt: ({ uniqueId }) => uniqueId === driver.uniqueId,
    };
  }
  for (const fence of plan.geofences) yield by('geofence', '/v1/geofences', fence.name, fence);
  for (const user of plan.users) yield by('user', '/v1/users', user.username, user);
}

async function send(target: Target, method: string, path: string, body?: object): Promise<Reply> {
  const { url, key } = target;
  const asked = request(url.replace(/\/+$/, '') + path, {
    method: method as 'GET',
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const {
    statusCode,
    headers,
    body: read,
  } = await asked.catch((error: Error) => {
    throw new UsageError(`${url} does not answer: ${error.message}`);
  });
  const text = await read.text();
  if (statusCode === 401) throw new UsageError('Fleetgate does not accept the API key');
  if (statusCode === 403) throw new UsageError(`the API key is not allowed to do this: ${JSON.parse(text).detail}`);
  if (statusCode === 429) {
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(headers['retry-after'] ?? 1)));
    return send(target, method, path, body);
  }
  return { status: statusCode, body: text === '' ? undefined : JSON.parse(text) };
}
