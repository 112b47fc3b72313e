export { array, bytesArray, type Column, shared } from './column.ts';
export { insertion } from './store.ts';
