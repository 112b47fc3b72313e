import type { HttpProtocol, StreamProtocol } from './contract.ts';
import { SESSION_ENDING_WORDS } from './privileged.ts';

type OfStream<State> = StreamProtocol<State>;

/** What `frame.ts` exports. */
interface FramingModule<State> extends Pick<OfStream<State>, 'frame' | 'verify' | 'identify'> {
  readonly MAX_FRAME_BYTES: number;
}

/** What `decode.ts` exports. */
interface DecodingModule<State> extends Pick<OfStream<State>, 'decode' | 'acknowledgeUndecoded'> {}

/** What `commands.ts` exports. */
interface CommandModule<State>
  extends Pick<OfStream<State>, 'commands'>,
    Partial<Pick<OfStream<State>, 'privileged' | 'sessionEnding' | 'commandName'>> {}

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
 * Facts of a protocol over a byte stream. Defaults: vendor and service have the name of the protocol, transport TCP,
 * `resync: 'marker'`, no options, no state, answers to commands in order.
 */
type StreamFacts<State> = Pick<OfStream<State>, Needed> & Partial<Pick<OfStream<State>, Usual | Further>>;

interface StreamModules<State> {
  readonly framing: NoInfer<FramingModule<State>>;
  readonly decoding: DecodingModule<State>;
  readonly commanding: NoInfer<CommandModule<State>>;
  readonly simulator: StreamProtocol['simulator'];
}

/** A protocol from its facts and the modules of its folder. It has a checksum if `frame.ts` exports `verify`. */
export function streamProtocol<State>(
  facts: NoInfer<StreamFacts<State>>,
  { framing, decoding, commanding, simulator }: StreamModules<State>,
): StreamProtocol<State> {
  const { frame, verify, identify, MAX_FRAME_BYTES } = framing;
  const { decode, acknowledgeUndecoded } = decoding;
  const { commands, commandName, privileged = [], sessionEnding = [] } = commanding;
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
    ...(commandName === undefined ? {} : { commandName }),
    ...(verify === undefined ? {} : { verify }),
    ...(identify === undefined ? {} : { identify }),
    ...(acknowledgeUndecoded === undefined ? {} : { acknowledgeUndecoded }),
  };
}

/** Facts of a protocol over HTTP requests; see `StreamFacts`. */
type HttpFacts<State> = Pick<HttpProtocol<State>, Needed> &
  Partial<Pick<HttpProtocol<State>, 'service' | 'options' | 'correlation' | 'initialState' | 'maxBytes' | Further>>;

interface HttpModules<State> {
  readonly decoding: Pick<HttpProtocol<State>, 'decode' | 'identify'>;
  readonly commanding: NoInfer<CommandModule<State>>;
  readonly simulator: HttpProtocol['simulator'];
}

/** A protocol over HTTP requests, with the defaults of `streamProtocol`; answers to commands are not correlated. */
export function httpProtocol<State>(
  facts: NoInfer<HttpFacts<State>>,
  { decoding, commanding, simulator }: HttpModules<State>,
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
