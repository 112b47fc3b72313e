import {
  type CommandParameters,
  type DeviceOptions,
  Driver,
  type DriverStep,
  fromHex,
  fromLatin1,
  type StreamProtocol,
  toHex,
  toLatin1,
} from '#codec';

interface Reply {
  readonly when: string;
  readonly wire?: string;
}

/** The members of a fixture that carry bytes; see test/support/fixtures.ts. */
export interface FixtureToComplete {
  readonly transport: 'tcp' | 'udp';
  readonly options?: DeviceOptions;
  readonly deviceId?: string;
  readonly now?: string;
  readonly frames?: readonly { readonly wire?: string; readonly replies?: readonly Reply[] }[];
  readonly commands?: readonly {
    readonly type: string;
    readonly params: CommandParameters;
    readonly deviceId: string;
    readonly ticket?: string;
    readonly options?: DeviceOptions;
    readonly wire?: string;
  }[];
}

const PLACEHOLDER = /\{(length|checksum):([1-4])\}/g;
const TEXT = 'text:';
const DEFAULT_CLOCK = '2024-06-01T12:00:00Z';

/** A wire with placeholders: its bytes, zero where a placeholder is, and their places. */
interface Template {
  readonly bytes: Uint8Array;
  readonly isText: boolean;
  readonly fields: readonly { readonly kind: string; readonly at: number; readonly size: number }[];
}

function templateOf(wire: string): Template {
  const isText = wire.startsWith(TEXT);
  const fields: { kind: string; at: number; size: number }[] = [];
  let content = '';
  let from = isText ? TEXT.length : 0;
  for (const { 0: whole, 1: kind, 2: digits, index } of wire.matchAll(PLACEHOLDER)) {
    content += wire.slice(from, index);
    const size = Number(digits);
    fields.push({ kind: kind!, at: isText ? content.length : content.length / 2, size });
    content += (isText ? '0' : '00').repeat(size);
    from = index + whole.length;
  }
  content += wire.slice(from);
  return { bytes: isText ? fromLatin1(content) : fromHex(content), isText, fields };
}

const wireOf = (bytes: Uint8Array, { isText }: Template): string => (isText ? TEXT + toLatin1(bytes) : toHex(bytes));

const BINARY_BYTES = 2;

/** All contents of a field of this size: numbers as text (hex of both cases, decimal), or bytes. */
function* contentsOf(size: number, isText: boolean): Generator<Uint8Array> {
  if (!isText) {
    const bytes = Math.min(size, BINARY_BYTES);
    for (let value = 0; value < 256 ** bytes; value++) {
      const [high, low] = [value >> 8, value & 0xff];
      const number = bytes === 1 ? [low] : [high, low];
      yield Uint8Array.from([...new Array<number>(size - bytes).fill(0), ...number]);
      // A larger field of a little-endian protocol is filled up behind the number.
      if (size > bytes) yield Uint8Array.from([low, high, ...new Array<number>(size - bytes).fill(0)]);
    }
    return;
  }
  for (let value = 0; value < 10 ** size; value++) yield fromLatin1(String(value).padStart(size, '0'));
  for (let value = 0; value < 16 ** size; value++) {
    const hex = value.toString(16).padStart(size, '0');
    yield fromLatin1(hex.toUpperCase());
    if (/[a-f]/.test(hex)) yield fromLatin1(hex);
  }
}

/** The content of a field with which the frame is accepted; undefined if there is none. */
function search(
  template: Template,
  kind: string,
  bytes: Uint8Array,
  passes: (bytes: Uint8Array) => boolean,
): Uint8Array | undefined {
  const field = template.fields.find((each) => each.kind === kind);
  if (field === undefined) return bytes;
  const attempt = bytes.slice();
  for (const content of contentsOf(field.size, template.isText)) {
    attempt.set(content, field.at);
    if (passes(attempt)) return attempt;
  }
  return undefined;
}

/**
 * Fills in what the protocol's own code decides: in frames of the device the length with which `frame` finds exactly
 * one frame and the checksum that `verify` accepts; in replies and commands those of the bytes that the protocol
 * encodes, if all other bytes agree. Messages are never written: they come from the vendor's document.
 */
export function completeFixture(
  protocol: StreamProtocol<unknown>,
  fixture: FixtureToComplete,
): { wires: Map<string, string>; problems: string[] } {
  const wires = new Map<string, string>();
  const problems: string[] = [];
  const { transport, options = {}, deviceId } = fixture;
  const now = Date.parse(fixture.now ?? DEFAULT_CLOCK);
  const driver = new Driver(protocol, { transport, options, ...(deviceId === undefined ? {} : { deviceId }) });
  for (const [index, { wire, replies = [] }] of (fixture.frames ?? []).entries()) {
    if (wire === undefined) continue;
    const bytes = completeFrame(protocol, wire, { transport, options, state: driver.state });
    if (bytes === undefined) {
      problems.push(`frame ${index}: no length and checksum, or several lengths, make it a frame`);
      break;
    }
    note(wires, wire, bytes);
    const encoded = driver.push(bytes, now).flatMap(repliesOf);
    for (const [at, reply] of replies.entries()) {
      const actual = encoded.filter(({ when }) => when === reply.when).map((each) => each.bytes);
      problems.push(...completeEncoded(wires, reply.wire, actual, `frame ${index} reply ${at}`));
    }
  }
  for (const { type, params, deviceId: id, ticket = '0', options: own, wire } of fixture.commands ?? []) {
    if (wire === undefined || !hasPlaceholder(wire)) continue;
    const context = { state: protocol.initialState(id), deviceId: id, options: own ?? options, ticket, now };
    const encoded = protocol.commands[type]?.encode(params, context);
    problems.push(...completeEncoded(wires, wire, encoded === undefined ? [] : [encoded], `command ${type}`));
  }
  return { wires, problems };
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.every((byte, at) => byte === b[at]);

const hasPlaceholder = (wire: string): boolean => wire.search(PLACEHOLDER) >= 0;

const repliesOf = (step: DriverStep) => ('replies' in step ? step.replies : []);

function note(wires: Map<string, string>, wire: string, bytes: Uint8Array): void {
  if (hasPlaceholder(wire)) wires.set(wire, wireOf(bytes, templateOf(wire)));
}

type FrameSettings = Parameters<StreamProtocol<unknown>['frame']>[1];

function completeFrame(
  protocol: StreamProtocol<unknown>,
  wire: string,
  context: FrameSettings,
): Uint8Array | undefined {
  const template = templateOf(wire);
  if (template.fields.length === 0) return template.bytes;
  const found = (bytes: Uint8Array): Uint8Array | undefined => {
    try {
      const result = protocol.frame(bytes, context);
      if (result.type !== 'frame' || result.end !== bytes.length) return undefined;
      return result.content ?? bytes.subarray(result.start, result.end);
    } catch {
      return undefined;
    }
  };
  const sized = search(template, 'length', template.bytes, (bytes) => found(bytes) !== undefined);
  if (sized === undefined) return undefined;
  const other = search(template, 'length', sized, (bytes) => found(bytes) !== undefined && !sameBytes(bytes, sized));
  // A tolerant `frame` accepts several lengths: then the vendor's document decides, not this command.
  if (!template.isText && other !== undefined && other !== sized) return undefined;
  return search(template, 'checksum', sized, (bytes) => {
    const content = found(bytes);
    return content !== undefined && (protocol.verify?.(content, context) ?? true);
  });
}

/** Takes the bytes of placeholders from what the protocol encodes; a difference elsewhere is a problem. */
function completeEncoded(
  wires: Map<string, string>,
  wire: string | undefined,
  candidates: readonly Uint8Array[],
  place: string,
): string[] {
  if (wire === undefined || !hasPlaceholder(wire)) return [];
  const template = templateOf(wire);
  const isOpen = (at: number): boolean => template.fields.some((field) => at >= field.at && at < field.at + field.size);
  const actual = candidates.find(
    (bytes) =>
      bytes.length === template.bytes.length && bytes.every((byte, at) => isOpen(at) || byte === template.bytes[at]),
  );
  if (actual === undefined) {
    return [
      `${place} differs from what the protocol encodes: ${candidates.map((bytes) => wireOf(bytes, template)).join(' or ') || 'nothing'}`,
    ];
  }
  note(wires, wire, actual);
  return [];
}
