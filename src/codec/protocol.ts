import type { HttpProtocol, Protocol, StreamProtocol } from './contract.ts';
import { SESSION_ENDING_WORDS } from './privileged.ts';

type OfStream<State> = StreamProtocol<State>;

/** What `frame.ts` exports. */
export interface FramingModule<State> extends Pick<OfStream<State>, 'frame' | 'verify' | 'identify'> {
  readonly MAX_FRAME_BYTES: number;
}

/** What `decode.ts` exports. */
export interface DecodingModule<State> extends Pick<OfStream<State>, 'decode' | 'acknowledgeUndecoded'> {}

/** What `commands.ts` exports. */
export interface CommandModule<State>
  extends Pick<OfStream<State>, 'commands'>,
    Partial<Pick<Protocol, 'privileged' | 'sessionEnding'>> {}

type Needed = 'id' | 'title' | 'models' | 'port' | 'setup';
type Usual = 'service' | 'transports' | 'options' | 'correlation' | 'resync' | 'initialState' | 'maxFrameBytes';
type Further =
  | 'vendor'
  | 'notCovered'
  | 'carriesNothing'
  | 'expectsReply'
  | 'deviceNamedKeys'
  | 'reportedAs'
  | 'named'
  | 'charset';

/**
 * Facts of a protocol over a byte stream. What most have need not be said: the vendor and the service are called as the protocol,
 * it speaks TCP, finds its next frame by a marker, has no options and no state, and answers commands in their order.
 */
export type StreamFacts<State> = Pick<OfStream<State>, Needed> & Partial<Pick<OfStream<State>, Usual | Further>>;

export interface StreamParts<State> {
  readonly framing: NoInfer<FramingModule<State>>;
  readonly decoding: DecodingModule<State>;
  readonly commanding: NoInfer<CommandModule<State>>;
  readonly simulator: StreamProtocol['simulator'];
}

/** A protocol of its facts and the modules of its folder. It has a checksum where `frame.ts` has `verify`. */
export function streamProtocol<State>(
  facts: NoInfer<StreamFacts<State>>,
  { framing, decoding, commanding, simulator }: StreamParts<State>,
): StreamProtocol<State> {
  const { frame, verify, identify, MAX_FRAME_BYTES } = framing;
  const { decode, acknowledgeUndecoded } = decoding;
  const { commands, privileged = [], sessionEnding = [] } = commanding;
  return {
    service: facts.id,
    vendor: facts.title,
    transports: ['tcp'],
    options: {},
    correlation: 'in-order',
    resync: 'marker',
    initialState: () => undefined as State,
    maxFrameBytes: MAX_FRAME_BYTES,
    ...facts,
    carrier: 'bytes',
    integrity: verify === undefined ? 'none' : 'checksum',
    frame,
    decode,
    commands,
    privileged,
    sessionEnding: [SESSION_ENDING_WORDS, ...sessionEnding],
    simulator,
    ...(verify === undefined ? {} : { verify }),
    ...(identify === undefined ? {} : { identify }),
    ...(acknowledgeUndecoded === undefined ? {} : { acknowledgeUndecoded }),
  };
}

/** Facts of a protocol over HTTP requests; see `StreamFacts`. */
export type HttpFacts<State> = Pick<HttpProtocol<State>, Needed> &
  Partial<Pick<HttpProtocol<State>, 'service' | 'options' | 'correlation' | 'initialState' | 'maxBytes' | Further>>;

export interface HttpParts<State> {
  readonly decoding: Pick<HttpProtocol<State>, 'decode' | 'identify'>;
  readonly commanding: NoInfer<CommandModule<State>>;
  readonly simulator: HttpProtocol['simulator'];
}

/** A protocol over HTTP requests; what most have need not be said. Answers to commands do not come in their order. */
export function httpProtocol<State>(
  facts: NoInfer<HttpFacts<State>>,
  { decoding, commanding, simulator }: HttpParts<State>,
): HttpProtocol<State> {
  const { decode, identify } = decoding;
  const { commands, privileged = [], sessionEnding = [] } = commanding;
  return {
    service: facts.id,
    vendor: facts.title,
    options: {},
    correlation: 'none',
    initialState: () => undefined as State,
    ...facts,
    carrier: 'http',
    decode,
    commands,
    privileged,
    sessionEnding: [SESSION_ENDING_WORDS, ...sessionEnding],
    simulator,
    ...(identify === undefined ? {} : { identify }),
  };
}

/** The same names with other values. */
export const mapValues = <T, R>(table: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, map(value)]));
