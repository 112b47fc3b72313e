export * from './message.ts';
export * from './query.ts';
export * from './stream.ts';
