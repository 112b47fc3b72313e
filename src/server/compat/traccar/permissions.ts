import { AppError } from '../../../platform/errors.ts';
import type { App } from '../../kernel/http/index.ts';
import { type Granted, grantedOf, isGiven } from './granted.ts';
import { all, pathOf } from './operations.ts';
import { numberOf, type Values } from './record-values.ts';
import { bodyOf, type Context, notImplemented, queryOf } from './request.ts';
import { type RouteKit, traccarRoute } from './routes.ts';
import { demandAdministrator } from './user.ts';

export function addPermissions(app: App, kit: RouteKit): void {
  const options = traccarRoute();
  app.get('/permissions', options, (request) => linksOf(kit.contextOf(request), queryOf(request)));
  for (const method of ['POST', 'DELETE'] as const) {
    app.route({
      ...options,
      method,
      url: '/permissions',
      async handler(request, reply) {
        await link(kit.contextOf(request), bodyOf(request), method === 'POST');
        return reply.code(204).send();
      },
    });
    app.route({
      ...options,
      method,
      url: '/permissions/bulk',
      async handler(request, reply) {
        const { body } = request;
        if (!Array.isArray(body)) throw new AppError('invalid', 'The body is no list');
        for (const each of body) await link(kit.contextOf(request), each as Values, method === 'POST');
        return reply.code(204).send();
      },
    });
  }
}

/** Other links have no counterpart. */
function demandUserAndDevice(members: Values): void {
  const names = Object.keys(members);
  if (names.length === 2 && names.includes('userId') && names.includes('deviceId')) return;
  throw notImplemented(`There are no links of ${names.join(' and ')} here: users are given devices alone`);
}

/** Links of a user, or of a device; 0 stands for all. */
async function linksOf(context: Context, query: Values) {
  const { operations, ids, tenantId, fleet } = context;
  await demandAdministrator(context, 'Links are for administrators');
  demandUserAndDevice(query);
  const [userId, deviceId] = [numberOf(query['userId']), numberOf(query['deviceId'])];
  if (userId === 0 && deviceId === 0) throw new AppError('invalid', 'One of userId and deviceId has to be given');
  const users =
    userId === 0
      ? await all(operations.list<Granted>('/v1/users'))
      : [await grantedOf(context, await ids.keyOf(tenantId, 'user', userId))];
  const devices = deviceId === 0 ? await fleet.all() : [await fleet.one(await ids.keyOf(tenantId, 'device', deviceId))];
  const keys = users.map(({ id }) => id);
  const numbers = await ids.numbersOf(tenantId, 'user', keys);
  return users.flatMap((user) =>
    devices
      .filter((device) => isGiven(user, device))
      .map(({ device }) => ({ userId: numbers.get(user.id)!, deviceId: device.id })),
  );
}

/** A user is given the vehicle that a device is in, or loses it. */
async function link(context: Context, members: Values, isAdded: boolean): Promise<void> {
  const { ids, tenantId, operations, fleet } = context;
  demandUserAndDevice(members);
  const user = await ids.keyOf(tenantId, 'user', members['userId']);
  const { vehicle } = await fleet.one(await ids.keyOf(tenantId, 'device', members['deviceId']));
  if (vehicle === undefined) throw notImplemented('Users are given vehicles here, and the device is in none');
  const { allVehicles, targhe } = await grantedOf(context, user);
  if (allVehicles && !isAdded) throw notImplemented('The user sees all vehicles: no single one can be taken away');
  if (allVehicles) return;
  const others = targhe.filter((targa) => targa !== vehicle.targa);
  await operations.call('PATCH', pathOf`/v1/users/${user}`, {
    targhe: isAdded ? [...others, vehicle.targa] : others,
  });
}
