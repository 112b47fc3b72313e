export { array, bytesArray, type Cell, shared } from './cell.ts';
export { insertion } from './store.ts';
