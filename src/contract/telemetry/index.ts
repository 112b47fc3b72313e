export * from './identity.ts';
export { formatInstant } from './instants.ts';
export * from './normalise.ts';
export * from './packed/index.ts';
export * from './vocabulary.ts';
