import type { Readable } from 'node:stream';

export interface StreamEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Server-sent events, those that have come together at once, with the last id among them. */
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
      if (type !== undefined && data !== undefined) events.push({ type, data: JSON.parse(data) });
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
