export * from './frame.ts';
export * from './layout.ts';
export { packPosition } from './pack.ts';
export { idOf, isPacked, positionJson, positionPartsOf } from './unpack.ts';
