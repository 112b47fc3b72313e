export {
  type NameElements,
  namedIncluded,
  type ReadRow,
  toNamedPosition,
  toStoredPosition,
} from './stored-position.ts';
