export * from './identity.ts';
export * from './normalise.ts';
