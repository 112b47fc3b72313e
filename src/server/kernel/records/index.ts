export { addCsvRoutes } from './csv-routes.ts';
export { type CsvTable, csvTableOf, readCells, requireValid, unlessUnknown } from './csv-table.ts';
export type { Column, Kind } from './kind.ts';
export { addRecordRoutes, presenter, recordName, removal } from './routes.ts';
export { createRecords, type Fields, type Records, unlessTaken } from './service.ts';
