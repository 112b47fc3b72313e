import { fromHex, type StreamProtocol } from '#codec';
import { httpRequest } from '#codec/http';
import { identify } from '../gateway/connection/identify.ts';

/** A frame of a recording: after framing, so that a text frame has lost its line end. */
export type FirstFrame =
  | { readonly kind: 'binary'; readonly hex: string }
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'http';
      readonly method: string;
      readonly uri: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly hex?: string;
    };

export type Identified =
  | { readonly type: 'decided'; readonly protocol: string; readonly transport: 'tcp' | 'udp' }
  | { readonly type: 'undecided'; readonly candidates: readonly string[] };

/** The frame as it was on the wire, as far as the recording shows. */
function onTheWire(frame: FirstFrame): Uint8Array {
  if (frame.kind === 'binary') return fromHex(frame.hex);
  if (frame.kind === 'text') return new TextEncoder().encode(`${frame.text}\r\n`);
  return httpRequest(frame.method, frame.uri, frame.headers ?? {}, Uint8Array.from(fromHex(frame.hex ?? '')));
}

/**
 * Identifies the protocol of a recorded session as AUTO_PORT does: frame by frame as over TCP; if no protocol is found,
 * by the first frame as a datagram.
 */
export function identifyRecorded(
  frames: readonly FirstFrame[],
  protocols: readonly StreamProtocol[],
  now: number,
): Identified {
  let bytes: Uint8Array = new Uint8Array(0);
  let candidates: readonly string[] = [];
  for (const [index, frame] of frames.entries()) {
    bytes = Uint8Array.from([...bytes, ...onTheWire(frame)]);
    const guess = identify(bytes, 'tcp', protocols, now, index === frames.length - 1);
    if (guess.type === 'decided') return { type: 'decided', protocol: guess.protocol.id, transport: 'tcp' };
    candidates = guess.candidates.map(({ id }) => id);
    if (guess.type === 'undecided') break;
  }
  const datagram = frames[0] === undefined ? undefined : identify(onTheWire(frames[0]), 'udp', protocols, now, true);
  if (datagram?.type === 'decided') return { type: 'decided', protocol: datagram.protocol.id, transport: 'udp' };
  return { type: 'undecided', candidates };
}
