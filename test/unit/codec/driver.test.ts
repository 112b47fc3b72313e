import { expect, it } from 'vitest';
import { Driver, type StreamProtocol } from '#codec';
import { example } from '../../conformance/example-protocol.ts';

const now = 0;
const settings = { transport: 'tcp', options: {} } as const;

/** Lines that end in `;`, of at most 16 bytes. */
const lines: StreamProtocol<null> = {
  ...(example as unknown as StreamProtocol<null>),
  maxFrameBytes: 16,
  initialState: () => null,
  frame(bytes) {
    const end = bytes.indexOf(0x3b) + 1;
    return end > 0 ? { type: 'frame', start: 0, end } : { type: 'wait' };
  },
  verify: () => true,
  decode: () => ({ state: null, messages: [], replies: [] }),
};

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));
const describeSteps = (steps: ReturnType<Driver<null>['push']>): string[] =>
  steps.map((step) => `${step.type} ${'bytes' in step ? Buffer.from(step.bytes) : ''}`);

it('returns no frame that is larger than the protocol allows, for any chunk size', () => {
  const stream = bytes(`${'x'.repeat(20)};ab;`);
  const whole = describeSteps(new Driver(lines, settings).push(stream, now));
  const driver = new Driver(lines, settings);
  const bit = [...stream].flatMap((byte) => describeSteps(driver.push(Uint8Array.of(byte), now)));
  expect(whole).toEqual(['skipped xxxxx', `frame ${'x'.repeat(15)};`, 'frame ab;']);
  expect(bit.filter((step) => step.startsWith('frame'))).toEqual(whole.filter((step) => step.startsWith('frame')));
});

it('looks at no more than one largest frame at a time', () => {
  const seen: number[] = [];
  const watched = {
    ...lines,
    frame(head: Uint8Array, context: never) {
      seen.push(head.length);
      return lines.frame(head, context);
    },
  };
  new Driver(watched, settings).push(bytes('x'.repeat(1000)), now);
  expect(Math.max(...seen)).toBe(16);
});

it('ends the stream at a frame that is too large if the protocol has no start marker', () => {
  const driver = new Driver({ ...lines, resync: 'none' }, settings);
  expect(describeSteps(driver.push(bytes('x'.repeat(17)), now))).toEqual(['lost ']);
  expect(driver.push(bytes('ab;'), now)).toEqual([]);
});

it('reports bytes that are skipped in a row as one step, and frames between them apart', () => {
  const marked = {
    ...lines,
    frame: (head: Uint8Array, context: never) =>
      head[0] === 0x2d ? { type: 'skip' as const, bytes: 1 } : lines.frame(head, context),
  };
  const steps = new Driver(marked, settings).push(bytes('---a;--b;'), now);
  expect(describeSteps(steps)).toEqual(['skipped ---', 'frame a;', 'skipped --', 'frame b;']);
});

it('takes each datagram by itself', () => {
  const driver = new Driver(lines, { transport: 'udp', options: {} });
  expect(describeSteps(driver.push(bytes('a;b'), now))).toEqual(['frame a;', 'skipped b']);
  expect(describeSteps(driver.push(bytes('c;'), now))).toEqual(['frame c;']);
  expect(driver.buffered).toBe(0);
});

it('passes over what may follow a frame, whenever it comes', () => {
  // A frame is two bytes, and its end `;` may be missing.
  const optional: StreamProtocol<null> = {
    ...lines,
    frame: (head) =>
      head.length < 2 ? { type: 'wait' } : { type: 'frame', start: 0, end: 2, mayFollow: [0x3b, 0x2e] },
  };
  const inParts = (...parts: string[]): [string[], number] => {
    const driver = new Driver(optional, settings);
    const steps = parts.flatMap((part) => describeSteps(driver.push(bytes(part), now)));
    expect(driver.buffered).toBe(0);
    return [steps, driver.followed];
  };
  const taken = [['frame ab', 'frame cd', 'frame ef'], 3];
  expect(inParts('ab;.cd;ef')).toEqual(taken);
  expect(inParts(...'ab;.cd;ef')).toEqual(taken);
  expect(inParts('ab', ';', '.cd', ';ef')).toEqual(taken);
  expect(inParts('abcd', 'ef')).toEqual([taken[0], 0]);
  expect(inParts('ab;', ';;')).toEqual([['frame ab', 'frame ;;'], 1]);
});
