export { createDriverKeys } from './reader.ts';
