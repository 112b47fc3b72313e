export { deviceCsvTable } from './csv-table.ts';
export { addDeviceRoutes } from './routes.ts';
export { createDeviceService } from './service.ts';
export { admitDevice, blockDevice } from './store.ts';
