import type { StoredPosition } from '../../../contract/internal.ts';
import { AppError } from '../../../platform/errors.ts';
import type { App } from '../../kernel/http/index.ts';
import { insideOf } from './inside.ts';
import { all, pathOf, unless } from './operations.ts';
import { readPositionNumber, type TraccarPosition, toTraccarPosition } from './position.ts';
import { type Context, integerOf, integersOf, intervalOf, valuesOf } from './request.ts';
import { type RouteKit, traccarRoute } from './routes.ts';

const SECOND_MS = 999;

/** Positions of a device in an interval, oldest first. */
export async function* positionsOf(
  { operations }: Context,
  device: { readonly imei: string; readonly number: number },
  interval: { readonly from: string; readonly to: string },
): AsyncGenerator<TraccarPosition> {
  for await (const stored of operations.list<StoredPosition>(pathOf`/v1/devices/${device.imei}/positions`, interval)) {
    const position = toTraccarPosition(stored, device.number);
    if (position !== undefined) yield position;
  }
}

/** Undefined if there is none that the caller may see. */
async function findPosition(context: Context, number: number): Promise<TraccarPosition | undefined> {
  const { device, at } = readPositionNumber(number);
  const imei = await unless(['not-found'], context.ids.keyOf(context.tenantId, 'device', device));
  if (imei === undefined) return undefined;
  const interval = { from: new Date(at).toISOString(), to: new Date(at + SECOND_MS).toISOString() };
  const found = await unless(['unknown-device'], all(positionsOf(context, { imei, number: device }, interval)));
  return found?.find(({ id }) => id === number);
}

export function addFleetRoutes(app: App, { contextOf }: RouteKit): void {
  const options = traccarRoute();

  app.get('/positions', options, async (request) => {
    const context = contextOf(request);
    const { fleet, ids, tenantId } = context;
    const numbers = integersOf(request, 'id');
    if (numbers.length > 0) {
      const found = await Promise.all(numbers.map((number) => findPosition(context, number)));
      if (found.includes(undefined)) throw new AppError('not-found', 'There is no such position');
      return found;
    }
    const number = integerOf(request, 'deviceId');
    const hasInterval = [...valuesOf(request, 'from'), ...valuesOf(request, 'to')].length > 0;
    if (number === 0 && hasInterval) throw new AppError('invalid', 'Positions of an interval require a deviceId');
    const isInside = await insideOf(context, request);
    if (number === 0) return (await fleet.all()).flatMap(({ position }) => position ?? []).filter(isInside);
    const imei = await ids.keyOf(tenantId, 'device', number);
    if (!hasInterval) return [(await fleet.one(imei)).position ?? []].flat().filter(isInside);
    return (await all(positionsOf(context, { imei, number }, intervalOf(request)))).filter(isInside);
  });
}
