export { type Cell, shared } from './cell.ts';
export { insertion } from './store.ts';
