export { pairingCsvTable } from './csv-table.ts';
export { addPairingRoutes } from './routes.ts';
export { createPairings } from './service.ts';
