import { CodecError, Driver, type DriverStep, type Message, type StreamProtocol } from '#codec';
import { httpAsStream } from '#codec/http';
import type { Catalogue } from '../codec/catalogue/index.ts';
import { formatInstant } from '../contract/telemetry/index.ts';
import type { FrameDecoder } from '../server/index.ts';
import { spansOf } from './frame-fields.ts';
import { createNames } from './names.ts';

type Connection = Parameters<FrameDecoder>[0];
type Content = ReturnType<NonNullable<ReturnType<FrameDecoder>>>;
type Describe = (message: Message) => Record<string, unknown>;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Decodes stored frames of a connection in their order, in the state of a new session at first. */
export function createFrameDecoder(catalogue: Catalogue): FrameDecoder {
  const names = createNames(catalogue);
  return (connection) => {
    const { protocol: id, options, deviceId } = connection;
    const read = readConnection(catalogue, connection);
    if (read === undefined) return undefined;
    const describe: Describe = (message) => {
      const named = message.type === 'position' ? names(id, message.attributes, options) : undefined;
      return { ...readable(message), ...(named === undefined ? {} : { named }) };
    };
    return (frame) => {
      const run = read(frame);
      const { before } = run;
      const spans = () =>
        spansOf(frame.bytes, (changed) => messagesIn(run.protocol, connection, changed, frame.at, before));
      return { ...contentOf(run, deviceId, describe), spans };
    };
  };
}

/** Reads the frames of a connection; undefined for a protocol that does not exist. */
export function readConnection(
  catalogue: Catalogue,
  connection: Connection,
): ((frame: { readonly bytes: Uint8Array; readonly at: number }) => FrameRun) | undefined {
  const found = catalogue.byId(connection.protocol);
  if (found === undefined) return undefined;
  const { deviceId } = connection;
  const protocol = httpAsStream(found) as StreamProtocol<unknown>;
  let state: { readonly of: unknown } | undefined;
  return ({ bytes, at }) => {
    // A gateway does not know the device of a new connection. If the first frame that is left does not name it, the
    // frames before it did.
    let before = state === undefined ? protocol.initialState() : state.of;
    let run = decodeIn(protocol, connection, bytes, at, before);
    if (state === undefined && !run.steps.some((step) => namesDevice(step, deviceId))) {
      before = protocol.initialState(deviceId);
      run = decodeIn(protocol, connection, bytes, at, before);
    }
    state = { of: run.state };
    return { ...run, before, protocol };
  };
}

/** The run of a frame, the state before it, and what it was run by. */
interface FrameRun extends Run {
  readonly before: unknown;
  readonly protocol: StreamProtocol<unknown>;
}

interface Run {
  readonly steps: readonly DriverStep[];
  readonly state: unknown;
  readonly hasBug: boolean;
}

/** A stored frame is whole: each has its own driver, so that bytes that one leaves are not read with the next. */
function decodeIn(
  protocol: StreamProtocol<unknown>,
  { transport, options }: Connection,
  bytes: Uint8Array,
  at: number,
  state: unknown,
): Run {
  let hasBug = false;
  const settings = { transport: transport === 'udp' ? ('udp' as const) : ('tcp' as const), options };
  const onBug = (): void => {
    hasBug = true;
  };
  const driver = new Driver({ ...protocol, initialState: () => state }, { ...settings, onBug });
  const steps = driver.push(bytes, at);
  return { steps, state: driver.state, hasBug };
}

export const messagesOf = (step: DriverStep): readonly Message[] => (step.type === 'frame' ? step.messages : []);

const namesDevice = (step: DriverStep, id: string): boolean =>
  messagesOf(step).some((message) => (message.type === 'login' ? message.ids.includes(id) : message.deviceId === id));

/** Messages of the device in a frame whose checksum may be wrong; undefined: it is refused. */
function messagesIn(
  { verify: _, ...unverified }: StreamProtocol<unknown>,
  connection: Connection,
  bytes: Uint8Array,
  at: number,
  state: unknown,
): Record<string, unknown>[] | undefined {
  const { steps, hasBug } = decodeIn(unverified, connection, bytes, at, state);
  const isWhole = steps.length === 1 && steps[0]!.type === 'frame' && !hasBug;
  // values of other frames are not described; a change of them is a change of the structure
  const isOwn = (message: Message): boolean =>
    message.type === 'login' || message.deviceId === undefined || message.deviceId === connection.deviceId;
  return isWhole ? steps.flatMap(messagesOf).filter(isOwn).map(readable) : undefined;
}

function contentOf({ steps, hasBug }: Run, deviceId: string, describe: Describe): Omit<Content, 'spans'> {
  const messages: Record<string, unknown>[] = [];
  const replies: { when: string; hex: string }[] = [];
  const others = new Set<string>();
  let error: string | undefined;
  for (const step of steps) {
    for (const message of messagesOf(step)) {
      const id = message.type === 'login' ? undefined : message.deviceId;
      if (id === undefined || id === deviceId) messages.push(describe(message));
      else others.add(id);
    }
    if (step.type === 'frame' || step.type === 'undecoded')
      replies.push(...step.replies.map((reply) => ({ when: reply.when, hex: hex(reply.bytes) })));
    if ('error' in step && step.error instanceof CodecError) error = step.error.code;
    else if (step.type === 'bad-checksum') error = 'bad-checksum';
  }
  if (hasBug) error = 'bug';
  return { decoded: { messages, replies, ...(error === undefined ? {} : { error }) }, others: [...others] };
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
