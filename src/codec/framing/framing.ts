import type { FrameContext, FrameResult } from '../contract.ts';
import { type Starts, startsOfAll } from './starts.ts';

/**
 * Finds frames in a stream; the `frame` of a protocol. Framings with `starts` find the next frame in a damaged stream;
 * those without throw CodecError `stream-lost` where no frame can begin.
 */
export interface Framing {
  // biome-ignore lint/suspicious/noExplicitAny: a framing serves protocols of every state
  (bytes: Uint8Array, context: FrameContext<any>): FrameResult;
  readonly starts?: Starts;
}

/** A framing whose frames begin at these starts; `firstOf` needs them. */
export const framingWith = (starts: Starts, frame: Framing): Framing => Object.assign(frame, { starts });

/** Takes each datagram as one frame, and what comes over TCP by `stream`. */
export function datagramsOr(stream: Framing): Framing {
  const frame: Framing = (bytes, context) =>
    context.transport === 'udp' ? { type: 'frame', start: 0, end: bytes.length } : stream(bytes, context);
  return stream.starts === undefined ? frame : framingWith(stream.starts, frame);
}

/** Takes each datagram as one frame: for protocols without a stream. */
export const datagrams: Framing = (bytes) => ({ type: 'frame', start: 0, end: bytes.length });

/**
 * The first of several framings whose start stands at the head of the buffer. What one of them skips ends where a
 * frame of another may begin. Every one needs starts.
 */
export function firstOf(...framings: readonly Framing[]): Framing {
  const starts = startsOfAll(framings.map((framing) => framing.starts!));
  const others = new Map(
    framings.map((framing) => [framing, startsOfAll(framings.flatMap((f) => (f === framing ? [] : [f.starts!])))]),
  );
  // Whose a scan is: rules are known by the first scan that they return.
  const owners = new WeakMap<object, Framing>();
  return framingWith(starts, (bytes, context) => {
    const { scan } = context;
    const begun = scan?.begun === true ? owners.get(scan.by) : undefined;
    const framing = begun ?? framings.find(({ starts: own }) => own!.begins(bytes, 0) !== 'no');
    if (framing === undefined) return { type: 'skip', bytes: starts.find(bytes, 1) };
    const result = framing(bytes, context);
    if (result.scan !== undefined) owners.set(result.scan.by, framing);
    if (result.type !== 'skip') return result;
    const next = others.get(framing)!.find(bytes.subarray(0, result.bytes), 1);
    return next < result.bytes ? earlier(result, next) : result;
  });
}

/** A skip that ends earlier; the scan of the bytes after it is kept. */
function earlier({ bytes, scan }: FrameResult & { type: 'skip' }, next: number): FrameResult {
  if (scan?.movable !== true) return { type: 'skip', bytes: next };
  return { type: 'skip', bytes: next, scan: { ...scan, to: scan.to + bytes - next, begun: false } };
}

/** A framing by the transport. */
export const byTransport =
  ({ tcp, udp }: { readonly tcp: Framing; readonly udp: Framing }): Framing =>
  (bytes, context) =>
    context.transport === 'udp' ? udp(bytes, context) : tcp(bytes, context);

/** The first `end` bytes as a frame, once they are there. */
export const frameTo = (bytes: Uint8Array, end: number): FrameResult =>
  bytes.length < end ? { type: 'wait', atLeast: end } : { type: 'frame', start: 0, end };

/** For bytes that are looked at outside of a connection, such as by `identify`. */
export const NO_CONTEXT: FrameContext<undefined> = { transport: 'tcp', state: undefined, options: {} };
