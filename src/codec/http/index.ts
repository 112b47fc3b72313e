export * from './json.ts';
export * from './message.ts';
export * from './query.ts';
export * from './stream.ts';
export * from './xml.ts';
