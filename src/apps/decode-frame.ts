import { CodecError, Driver, type Message } from '#codec';
import { httpAsStream } from '#codec/http';
import type { FrameDecoder } from '../api/index.ts';
import type { Catalogue } from '../catalogue/index.ts';
import { formatInstant } from '../telemetry/index.ts';
import { createNames } from './names.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Decodes a stored frame on its own, in the state of a new session. */
export function createFrameDecoder(catalogue: Catalogue): FrameDecoder {
  const names = createNames(catalogue);
  return ({ protocol: id, transport, bytes, deviceId, options, at }) => {
    const protocol = catalogue.byId(id);
    if (protocol === undefined) return undefined;
    let bug = false;
    const driver = new Driver(httpAsStream(protocol), {
      transport: transport === 'udp' ? 'udp' : 'tcp',
      options,
      deviceId,
      onBug: () => {
        bug = true;
      },
    });
    const namesOf = (message: Message): { named?: unknown } => {
      const named = message.type === 'position' ? names(id, message.attributes, options) : undefined;
      return named === undefined ? {} : { named };
    };
    const messages: Record<string, unknown>[] = [];
    const replies: { when: string; hex: string }[] = [];
    let error: string | undefined;
    for (const step of driver.push(bytes, at)) {
      if (step.type === 'frame')
        for (const message of step.messages) messages.push({ ...readable(message), ...namesOf(message) });
      if (step.type === 'frame' || step.type === 'undecoded') {
        replies.push(...step.replies.map((reply) => ({ when: reply.when, hex: hex(reply.bytes) })));
      }
      if ('error' in step && step.error instanceof CodecError) error = step.error.code;
      else if (step.type === 'bad-checksum') error = 'bad-checksum';
    }
    return { messages, replies, ...(bug ? { error: 'bug' } : error === undefined ? {} : { error }) };
  };
}

const TIMES = new Set(['deviceTime', 'fixTime']);

/** Times as RFC 3339 and bytes as hex. */
function readable(message: Message): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(message).map(([key, value]) => {
      if (value instanceof Uint8Array) return [key, hex(value)];
      return [key, TIMES.has(key) && typeof value === 'number' ? formatInstant(value) : value];
    }),
  );
}
