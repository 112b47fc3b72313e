import { addProtocolRoutes } from '../devices/protocols/index.ts';
import { addDeviceRoutes, createDeviceService, deviceCsvTable } from '../devices/registry/index.ts';
import { addTimelineRoutes, createTimelineService } from '../devices/timeline/index.ts';
import type { App, Cursors } from '../kernel/http/index.ts';
import { addCsvRoutes } from '../kernel/records/index.ts';
import { addPlaceRoutes } from '../movement/places/index.ts';
import { addCurrentPositionRoutes, createCurrentPositionService } from '../positions/current/index.ts';
import { addHistoryRoutes, createHistoryService } from '../positions/history/index.ts';
import type { ApiDeps } from './deps.ts';

/** Adds devices, protocols, timelines and past positions. */
export async function addDevices(app: App, cursors: Cursors, deps: ApiDeps): Promise<void> {
  const { settings, database, nameElements } = deps;
  addProtocolRoutes(app, deps.protocols ?? []);
  addHistoryRoutes(app, createHistoryService(database.app, cursors, nameElements));
  const devices = createDeviceService(database, cursors, settings.DEVICES_UNSEEN_PER_TENANT);
  await addCsvRoutes(app, deviceCsvTable(devices));
  addDeviceRoutes(app, devices);
  addTimelineRoutes(app, createTimelineService(database.app, cursors, deps.decodeFrame ?? (() => undefined)));
}

/** Adds current positions and the addresses of places. */
export function addCurrentPositions(app: App, { database, clock, nameElements, addressesOf }: ApiDeps): void {
  addCurrentPositionRoutes(app, createCurrentPositionService(database.app, clock, nameElements));
  if (addressesOf !== undefined) addPlaceRoutes(app, addressesOf);
}
