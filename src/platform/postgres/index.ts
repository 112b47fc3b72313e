export * from './arrays.ts';
export { allSent, applyAll, createHabit, type Manner } from './batch.ts';
export { type CopyTaker, copyAsTenant } from './copy.ts';
export { type Database, type DatabaseOptions, openDatabase } from './database.ts';
export { schemaKeeper } from './keeper.ts';
export type { Listener } from './listener.ts';
export { MigrationError } from './migrate.ts';
export { asAppError, formatTimestamp, isDatabaseAway } from './pool.ts';
export { type Queryable, queryAsTenant, runAsTenant, transaction } from './transaction.ts';
