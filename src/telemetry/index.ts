export * from './identity.ts';
export * from './normalise.ts';
export * from './vocabulary.ts';
