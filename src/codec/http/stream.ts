import type {
  CommandDefinition,
  DecodeContext,
  Decoded,
  FrameContext,
  FrameResult,
  HttpProtocol,
  HttpReply,
  HttpRequest,
  Protocol,
  Reply,
  StreamProtocol,
} from '../contract.ts';
import { CodecError } from '../errors.ts';
import type { Match } from '../text-frame.ts';
import { beginsRequest, type Head, MessageReader } from './head.ts';
import { httpResponse } from './message.ts';

/** Head and body of a request together. */
const DEFAULT_MAX_BYTES = 65_536;

interface Request {
  readonly request: HttpRequest;
  readonly isLast: boolean;
  readonly end: number;
}

const LINE = /^([A-Z]{3,7}) (\S+)(?: HTTP\/1\.([01]))?$/;

/** The request at the head of the buffer, or the number of bytes that are needed at least if it is incomplete. */
function readRequest(bytes: Uint8Array, mostBytes: number, reader = new MessageReader(mostBytes)): Request | number {
  if (reader.isNew && beginsRequest(bytes) === 'no')
    throw new CodecError('stream-lost', 'these bytes begin no HTTP request', 0);
  const head = reader.head(bytes);
  if (head === undefined) return bytes.length + 1;
  const line = LINE.exec(head.line);
  if (line === null) throw new CodecError('stream-lost', `no request line: ${head.line.slice(0, 40)}`, 0);
  const body = reader.body(bytes, head);
  if (body.type === 'wait') return body.atLeast;
  const [, method, target, minor] = line;
  const request: HttpRequest = { method: method!, uri: pathOf(target!), headers: head.headers, body: body.bytes };
  return { request, isLast: isLast(head, minor ?? '0'), end: body.end };
}

/** A proxy's form names the server too; some clients leave the slash out. */
const pathOf = (target: string): string => {
  const path = target.replace(/^https?:\/\/[^/?#]*/, '');
  return path.startsWith('/') ? path : `/${path}`;
};

/** HTTP/1.1 keeps a connection unless it says otherwise, HTTP/1.0 only where it says so. */
function isLast({ headers }: Head, minor: string): boolean {
  const connection = headers['connection']?.toLowerCase() ?? '';
  return connection.includes('close') || (minor === '0' && !connection.includes('keep-alive'));
}

/** Whether a frame is the first `length` bytes of the buffer that it was cut from. */
const isHead = (frame: Uint8Array, bytes: Uint8Array, length: number): boolean =>
  frame.length === length && frame.buffer === bytes.buffer && frame.byteOffset === bytes.byteOffset;

const streams = new WeakMap<Protocol, StreamProtocol>();

/**
 * The protocol as one over a byte stream, which is what the gateway speaks: HTTP is a framing. A request is a frame,
 * its answer leaves by the rule that holds for every reply: 200 once the messages are safe.
 */
export function httpAsStream(protocol: Protocol): StreamProtocol {
  if (protocol.carrier === 'bytes') return protocol;
  let stream = streams.get(protocol);
  if (stream === undefined) {
    stream = overHttp(protocol);
    streams.set(protocol, stream);
  }
  return stream;
}

function overHttp<State>(protocol: HttpProtocol<State>): StreamProtocol<State> {
  const { carrier: _, decode: inner, identify, maxBytes = DEFAULT_MAX_BYTES, commands, ...facts } = protocol;
  // A request is read where it is cut; decoding, which follows at once, takes what was read.
  let cut: { readonly bytes: Uint8Array; readonly read: Request } | undefined;
  const wholeRequest = (frame: Uint8Array): Request => {
    const known = cut;
    cut = undefined;
    if (known !== undefined && isHead(frame, known.bytes, known.read.end)) return known.read;
    const read = readRequest(frame, maxBytes);
    if (typeof read === 'number') throw new CodecError('truncated', 'a request that is not whole', frame.length);
    return read;
  };
  return {
    ...facts,
    carrier: 'bytes',
    speaks: 'http',
    transports: ['tcp'],
    maxFrameBytes: maxBytes,
    resync: 'none',
    integrity: 'none',
    commands: Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, inResponse(command)])),
    frame(bytes: Uint8Array, { scan }: FrameContext<State>): FrameResult {
      const reader = scan?.by instanceof MessageReader ? scan.by : new MessageReader(maxBytes);
      const read = readRequest(bytes, maxBytes, reader);
      if (typeof read === 'number') return { type: 'wait', atLeast: read, scan: { by: reader, to: bytes.length } };
      cut = { bytes, read };
      return { type: 'frame', start: 0, end: read.end };
    },
    decode(frame: Uint8Array, context: DecodeContext<State>): Decoded<State> {
      const { request, isLast: last } = wholeRequest(frame);
      const { state, messages, replies } = inner(request, { ...context, transport: 'http' });
      return { state, messages, replies: replies.map((reply) => asBytes(reply, last)) };
    },
    acknowledgeUndecoded: (frame) => refusalOf(frame, maxBytes),
    identify: (bytes) => identifyRequest(bytes, maxBytes, identify),
  };
}

/** The answer to an HTTP request of no protocol: 400, and the connection ends. Undefined if the bytes are no request. */
export function refuseUnknown(firstBytes: Uint8Array): Uint8Array | undefined {
  return beginsRequest(firstBytes) === 'yes' ? httpResponse(400, { connection: 'close' }) : undefined;
}

/** What is no report: 400. Nothing if the bytes are no request. */
function refusalOf(frame: Uint8Array, maxBytes: number): Reply[] {
  try {
    const read = readRequest(frame, maxBytes);
    return typeof read === 'number' ? [] : [asBytes({ when: 'stored', status: 400 }, read.isLast)];
  } catch {
    return [];
  }
}

// Most protocols answer with a few constant replies: each is written once.
const [kept, closing] = [new WeakMap<HttpReply, Reply>(), new WeakMap<HttpReply, Reply>()];

function asBytes(reply: HttpReply, last: boolean): Reply {
  const written = last ? closing : kept;
  let bytes = written.get(reply);
  if (bytes === undefined) {
    bytes = write(reply, last);
    written.set(reply, bytes);
  }
  return bytes;
}

function write({ when, status, headers, body }: HttpReply, last: boolean): Reply {
  const bytes = httpResponse(status, { ...headers, ...(last ? { connection: 'close' } : {}) }, body);
  return last ? { when, bytes, last } : { when, bytes };
}

/** A command is the body of an answer. */
function inResponse<State>(command: CommandDefinition<State>): CommandDefinition<State> {
  const headers = { 'content-type': 'text/plain' };
  return { ...command, encode: (params, context) => httpResponse(200, headers, command.encode(params, context)) };
}

function identifyRequest(
  bytes: Uint8Array,
  maxBytes: number,
  identify: ((request: HttpRequest) => boolean) | undefined,
): Match {
  if (identify === undefined) return 'no';
  try {
    const read = readRequest(bytes, maxBytes);
    if (typeof read === 'number') return 'more';
    return identify(read.request) ? 'yes' : 'no';
  } catch {
    return 'no';
  }
}
