export * from './map.ts';
export * from './names.ts';
export * from './read.ts';
export * from './room.ts';
