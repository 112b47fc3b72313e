export * from './arrays.ts';
export { allSent, applyAll, createHabit, type Habit, type Manner } from './batch.ts';
export { type Database, type DatabaseOptions, openDatabase } from './database.ts';
export { schemaKeeper } from './keeper.ts';
export type { Listener } from './listener.ts';
export { MigrationError } from './migrate.ts';
export { asAppError, formatTimestamp, isDatabaseAway, isRowRefused } from './pool.ts';
export { becomeTenant } from './store.ts';
export { type Queryable, queryAsTenant, runAsTenant, transaction } from './transaction.ts';
