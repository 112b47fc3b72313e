import { Draft } from '../draft.ts';
import type { Position } from '../messages.ts';
import type { Reader } from '../reader.ts';
import type { Layout } from './scope.ts';

/** The position that a layout reads. Throws CodecError `truncated` if the body ends early. */
export function readPosition(layout: Layout, body: Reader): Position {
  const draft = new Draft();
  layout(body, draft);
  return draft.toPosition();
}

/** The positions of a body that consists of records of one layout. Throws CodecError `truncated` if the last one ends early. */
export function readPositions(layout: Layout, body: Reader): Position[] {
  const positions: Position[] = [];
  while (body.remaining > 0) positions.push(readPosition(layout, body));
  return positions;
}
