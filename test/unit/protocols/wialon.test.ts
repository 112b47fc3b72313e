import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Driver, type DriverStep, fromLatin1, toLatin1 } from '#codec';
import wialon from '../../../protocols/wialon/index.ts';

const NOW = Date.UTC(2024, 5, 1, 12);
const LOGIN = fromLatin1('#L#2.0;352054058132185;NA;CE45\r\n');

const concat = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

function container(text: string): Uint8Array {
  const packed = deflateSync(fromLatin1(text));
  return concat(Uint8Array.of(0xff, packed.length & 0xff, packed.length >> 8), packed);
}

function run(stream: Uint8Array): DriverStep[] {
  return new Driver(wialon, { transport: 'tcp', options: {} }).push(stream, NOW);
}

describe('blocks of a photo', () => {
  it('of 50 KB are kept in pieces that can be stored', () => {
    const block = Uint8Array.from({ length: 51_200 }, (_, at) => at & 0xff);
    const steps = run(concat(LOGIN, fromLatin1('#I#51200;0;0;070512;124010;sample.jpg\r\n'), block));
    const files = steps
      .flatMap((step) => (step.type === 'frame' ? step.messages : []))
      .filter((m) => m.type === 'file');
    expect(files.map(({ offset, bytes, last }) => [offset, bytes.length, last ?? false])).toEqual([
      [0, 32_768, false],
      [32_768, 18_432, true],
    ]);
    expect(concat(...files.map(({ bytes }) => bytes))).toEqual(block);
  });
});

describe('compressed packets', () => {
  const replies = (steps: readonly DriverStep[]) =>
    steps.flatMap((step) => (step.type === 'frame' ? step.replies.map(({ bytes }) => toLatin1(bytes)) : []));

  it('stand between others', () => {
    const steps = run(concat(LOGIN, container('#P#\r\n'), fromLatin1('#P#\r\n'), container('#P#')));
    expect(replies(steps).filter((reply) => reply === '#AP#\r\n')).toHaveLength(3);
  });

  it('are identified by the login in them', () => {
    expect(wialon.identify?.(container('#L#2.0;352054058132185;NA;CE45'), 'tcp')).toBe('yes');
    expect(wialon.identify?.(container('no login'), 'tcp')).toBe('no');
    expect(wialon.identify?.(container('2.0;352054058132185#P#'), 'udp')).toBe('yes');
  });

  it('that are damaged are rejected, and the next one is read', () => {
    const damaged = container('#P#\r\n');
    damaged[6] = damaged[6]! ^ 0xff;
    const steps = run(concat(LOGIN, damaged, fromLatin1('#P#\r\n')));
    expect(steps.filter((step) => step.type !== 'frame')).toHaveLength(1);
    expect(replies(steps).filter((reply) => reply === '#AP#\r\n')).toHaveLength(1);
  });
});
