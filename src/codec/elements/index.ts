export * from './map.ts';
export * from './names.ts';
export * from './preallocated.ts';
export * from './read.ts';
