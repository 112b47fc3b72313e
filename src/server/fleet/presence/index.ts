export { createPresence } from './reader.ts';
