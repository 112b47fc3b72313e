export * from './map.ts';
export * from './names.ts';
export * from './room.ts';
