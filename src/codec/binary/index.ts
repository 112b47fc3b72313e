/** Messages of bytes as tables: fields in the order of their bytes, each of which says what it sets. */
export * from './choice.ts';
export { fix, fixNumber } from './fix.ts';
export * from './groups.ts';
export * from './network.ts';
export { type NumberType, readerOf } from './number-types.ts';
export * from './numbers.ts';
export * from './place.ts';
export * from './read-position.ts';
export {
  bytesLeft,
  type Field,
  type FieldList,
  inOrder,
  type Layout,
  type LayoutTarget as Sink,
  layout,
  optionalTail,
  type Scope,
  seekFromEnd,
} from './scope.ts';
export * from './text.ts';
export { bcdTime, binaryTime, readBcdTimeByDay } from './time.ts';
