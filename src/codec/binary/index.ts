export {
  atLeast,
  begins,
  both,
  byNumber,
  choose,
  given,
  groupsOf,
  isText,
  mask,
  next,
  ofBytes,
  type Test,
  tableOf,
  unknown,
  when,
} from './choice.ts';
export * from './groups.ts';
export { bytesOf, type Kind, readerOf } from './kinds.ts';
export * from './network.ts';
export * from './numbers.ts';
export * from './place.ts';
export {
  type Field,
  type FieldList,
  inOrder,
  type Layout,
  layout,
  left,
  type Scope,
  type Sink,
  tail,
  toLast,
} from './scope.ts';
export * from './text.ts';
export * from './time.ts';
