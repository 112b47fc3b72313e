import { fieldsByNumber } from './choice.ts';
import { bytesOf, type NumberType, readerOf } from './number-types.ts';
import { type Field, type FieldList, inOrder, type LayoutTarget, readAsFarAsItGoes, type Scope } from './scope.ts';

/** How far the fields of a part may read: see `TagList`. */
type Lengths = 'within' | 'own';

/**
 * Reads a part up to `end`; what it does to the scope ends with it. What is cut short by what holds it ends there,
 * whatever its length says.
 */
function readPart<S extends LayoutTarget>(read: Field<S>, scope: Scope<S>, end: number, lengths: Lengths): void {
  const { reader, start, end: outer, outerEnd, number } = scope;
  const readerEnd = reader.end;
  scope.outerEnd = readerEnd;
  scope.start = reader.offset;
  scope.end = end;
  if (lengths === 'within' || end > outer) reader.end = Math.min(end, outer, readerEnd);
  const isWhole = readAsFarAsItGoes(read, scope);
  // A field may have moved the end: what it has read is longer than it says.
  if (lengths !== 'own' || !isWhole) reader.offset = Math.min(scope.end, outer);
  reader.end = readerEnd;
  scope.start = start;
  scope.end = outer;
  scope.outerEnd = outerEnd;
  scope.number = number;
}

/** Bytes with their count before them, `more` of which it does not count. Bytes that are missing in them do not affect what follows. */
export function lengthPrefixed<S extends LayoutTarget>(count: NumberType, fields: FieldList<S>, more = 0): Field<S> {
  const readCount = readerOf(count);
  const read = inOrder(fields);
  return (scope) => {
    const bytes = readCount(scope.reader) + more;
    readPart(read, scope, scope.reader.offset + Math.max(0, bytes), 'within');
  };
}

interface Groups {
  /** how many there are: a number, or the number before them; default: to the end of the part */
  readonly count?: NumberType | number;
  /** bytes that must be left for another group to begin, default 1; a group that has begun is read to its end */
  readonly bytes?: number;
}

/** The same fields again and again; `#` in their keys counts from 1. */
export function groups<S extends LayoutTarget>(fields: FieldList<S>, { count, bytes = 1 }: Groups = {}): Field<S> {
  const read = inOrder(fields);
  const countOf = typeof count === 'string' ? readerOf(count) : () => count ?? Number.POSITIVE_INFINITY;
  return (scope) => {
    const { reader, number } = scope;
    const most = countOf(reader);
    for (let n = 1; n <= most && scope.end - reader.offset >= bytes; n++) {
      const at = reader.offset;
      scope.number = n;
      read(scope);
      if (reader.offset === at) break;
    }
    scope.number = number;
  };
}

/** The part goes on to where its reader ends: to the end of its length, also where it holds lists of its own. */
export const extendToEnd: Field = (scope) => {
  scope.end = scope.reader.end;
};

/** The part goes on to the end of what holds it, whatever its length says. */
export const extendBeyondLength: Field = (scope) => {
  scope.reader.end = scope.outerEnd;
  scope.end = scope.outerEnd;
};

/** The number of a group, if it is sent. */
export function groupNumber(kind: NumberType, plus = 0): Field {
  const read = readerOf(kind);
  return (scope) => {
    scope.number = read(scope.reader) + plus;
  };
}

export interface TagList<S extends LayoutTarget> {
  readonly id: NumberType;
  /** absent: each tag has the size of its fields, and one that is not in the table ends the list */
  readonly length?: NumberType;
  /** what comes first, and whether the length counts the id too */
  readonly head?: 'id, length' | 'length, id' | 'length with id, id';
  /** how many tags there are; default: to the end of the part */
  readonly count?: NumberType;
  /** by id; `#` in their keys is the id */
  readonly table: Readonly<Record<number, FieldList<S> | undefined>>;
  /** reads tags that are not in the table; default: they are passed over */
  readonly other?: FieldList<S>;
  /** bytes behind the list that belong to none of its tags */
  readonly trailingBytes?: number;
  /**
   * `within`: a value ends where its length says. `own`: those of the table have the size of their fields, whatever the
   * length says, of vendors whose lengths are too small.
   */
  readonly lengths?: Lengths;
  /** bytes that must be left for another tag to begin; default: those of its id and length */
  readonly minBytes?: number;
}

/** Values with an id and a length each. One that is cut short or malformed loses what it lacks, and no other. */
export function tags<S extends LayoutTarget>(list: TagList<S>): Field<S> {
  const { id, length = id, head = 'id, length', count, trailingBytes = 0, lengths = 'within' } = list;
  if (list.length === undefined) return tagsOfOwnSize(list);
  const [readId, readLength] = [readerOf(id), readerOf(length)];
  const isIdFirst = head === 'id, length';
  const counted = head === 'length with id, id' ? bytesOf(id) : 0;
  const minBytes = list.minBytes ?? bytesOf(id) + bytesOf(length);
  const countOf = count === undefined ? () => Number.POSITIVE_INFINITY : readerOf(count);
  const fieldOf = fieldsByNumber(list.table);
  const other = list.other === undefined ? undefined : inOrder(list.other);
  return (scope) => {
    const { reader, end: outer, number } = scope;
    scope.end -= trailingBytes;
    for (let open = countOf(reader); open > 0 && scope.end - reader.offset >= minBytes; open--) {
      const first = isIdFirst ? readId(reader) : readLength(reader);
      const tag = isIdFirst ? first : readId(reader);
      const bytes = (isIdFirst ? readLength(reader) : first) - counted;
      const end = reader.offset + Math.max(0, bytes);
      const read = fieldOf(tag) ?? other;
      scope.number = tag;
      if (read === undefined) reader.offset = Math.min(end, scope.end);
      else readPart(read, scope, end, lengths);
    }
    scope.end = outer;
    scope.number = number;
  };
}

function tagsOfOwnSize<S extends LayoutTarget>({ id, count, table, other, trailingBytes = 0 }: TagList<S>): Field<S> {
  const readId = readerOf(id);
  const idBytes = bytesOf(id);
  const countOf = count === undefined ? () => Number.POSITIVE_INFINITY : readerOf(count);
  const fieldOf = fieldsByNumber(table);
  const rest = other === undefined ? undefined : inOrder(other);
  return (scope) => {
    const { reader, number } = scope;
    for (let open = countOf(reader); open > 0 && scope.end - trailingBytes - reader.offset >= idBytes; open--) {
      scope.number = readId(reader);
      const read = fieldOf(scope.number) ?? rest;
      if (read === undefined) break;
      read(scope);
    }
    scope.number = number;
  };
}
