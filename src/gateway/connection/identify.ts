import { type DeviceOptions, Driver, type StreamProtocol } from '#codec';

export type Guess =
  | { readonly type: 'decided'; readonly protocol: StreamProtocol }
  /** more bytes are needed; `candidates` are still possible */
  | { readonly type: 'more'; readonly candidates: readonly StreamProtocol[] }
  /** no protocol matches, or several do */
  | { readonly type: 'undecided'; readonly candidates: readonly StreamProtocol[] };

const NO_OPTIONS: DeviceOptions = Object.freeze({});

/**
 * Which protocol do these first bytes speak? A wrong guess that acknowledges would lose data, so: a single match is
 * taken where there are no candidates; otherwise a match that proves itself by a whole frame that verifies and
 * decodes. If several do, none is chosen. With `final` no more bytes are expected now, and `more` counts as no.
 */
export function identify(
  bytes: Uint8Array,
  transport: 'tcp' | 'udp',
  protocols: readonly StreamProtocol[],
  now: number,
  final: boolean,
): Guess {
  const yes: StreamProtocol[] = [];
  const maybe: StreamProtocol[] = [];
  for (const protocol of protocols) {
    if (!protocol.transports.includes(transport)) continue;
    const answer = protocol.identify?.(bytes, transport) ?? 'no';
    if (answer === 'yes') yes.push(protocol);
    else if (answer === 'more') maybe.push(protocol);
  }
  if (yes.length === 1 && (final || maybe.length === 0)) return { type: 'decided', protocol: yes[0]! };
  const proven = yes.filter((protocol) => proves(protocol, bytes, transport, now));
  if (proven.length === 1) return { type: 'decided', protocol: proven[0]! };
  if (yes.length === 1 && hasWholeFrame(yes[0]!, bytes, transport, now)) return { type: 'decided', protocol: yes[0]! };
  if (!final && (maybe.length > 0 || (yes.length > 0 && proven.length === 0))) {
    return { type: 'more', candidates: [...yes, ...maybe] };
  }
  return { type: 'undecided', candidates: yes };
}

/** Whether the bytes begin with a frame whose checksum is right, such as one that says nothing before a login. */
function hasWholeFrame(protocol: StreamProtocol, bytes: Uint8Array, transport: 'tcp' | 'udp', now: number): boolean {
  if (protocol.integrity !== 'checksum') return false;
  const first = new Driver(protocol, { transport, options: NO_OPTIONS }).push(bytes, now)[0];
  return first?.type === 'frame' || first?.type === 'undecoded';
}

/** Whether the bytes begin with a frame that verifies and decodes to at least one message. */
function proves(protocol: StreamProtocol, bytes: Uint8Array, transport: 'tcp' | 'udp', now: number): boolean {
  const driver = new Driver(protocol, { transport, options: NO_OPTIONS });
  const first = driver.push(bytes, now)[0];
  return first?.type === 'frame' && first.messages.length > 0;
}
