import type { Readable } from 'node:stream';
import type { StoredPosition } from '../../../contract/internal.ts';
import type { OwnNotification, OwnSession } from './events.ts';

/** Events of which Traccar's clients are told; others are passed over. */
export type StreamEvent =
  | { readonly type: 'notification'; readonly data: OwnNotification }
  | { readonly type: 'session'; readonly data: OwnSession }
  | { readonly type: 'position'; readonly data: StoredPosition };

/** Server-sent events that arrived in one chunk, with the last id. */
export async function* readEvents(
  stream: Readable,
): AsyncGenerator<{ readonly id: string | undefined; readonly events: readonly StreamEvent[] }> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const blocks = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n\n');
    rest = blocks.pop()!;
    let id: string | undefined;
    const events: StreamEvent[] = [];
    for (const block of blocks) {
      const fields = fieldsOf(block);
      id = fields['id'] ?? id;
      const { event: type, data } = fields;
      if (type !== undefined && data !== undefined) events.push({ type, data: JSON.parse(data) } as StreamEvent);
    }
    if (id !== undefined || events.length > 0) yield { id, events };
  }
}

/** Comments have no name. */
const fieldsOf = (block: string): { id?: string; event?: string; data?: string } =>
  Object.fromEntries(
    block.split('\n').flatMap((line) => {
      const [, name, value] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value]];
    }),
  );
