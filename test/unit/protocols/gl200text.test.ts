import { describe, expect, it } from 'vitest';
import { Driver, type DriverStep, fromLatin1 } from '#codec';
import gl200text from '../../../protocols/gl200text/index.ts';

const NOW = Date.UTC(2024, 5, 1, 12);
const message = '+RESP:GTPNA,060100,135790246811220,,20090214093254,11F0';

function run(text: string, size: number): DriverStep[] {
  const driver = new Driver(gl200text, { transport: 'tcp', options: {} });
  const bytes = fromLatin1(text);
  const steps: DriverStep[] = [];
  for (let at = 0; at < bytes.length; at += size) steps.push(...driver.push(bytes.subarray(at, at + size), NOW));
  return steps;
}

const frames = (steps: readonly DriverStep[]): number[] =>
  steps.flatMap((step) => (step.type === 'frame' ? [step.bytes.length] : []));

describe.each([1, 7, 10_000])('framing, %i bytes at a time', (size) => {
  it('ends a message at $ or NUL, whichever comes first', () => {
    expect(frames(run(`${message}$${message}\0${message}$`, size))).toEqual([56, 56, 56]);
  });

  it('finds the next message behind one that was cut off', () => {
    expect(frames(run(`+RESP:GTFRI,060100,13579${message}$`, size))).toEqual([56]);
  });

  it('passes over binary messages and other noise', () => {
    expect(frames(run(`+RSP\x07\x00\xfc\x1f\xbf+RE+\0$x${message}$+ACK\x01\x7f${message}$`, size))).toEqual([56, 56]);
  });

  it('gives a message without end up', () => {
    expect(frames(run(`+RESP:GTFRI,${'1+,'.repeat(1_000)}${message}$`, size))).toEqual([56]);
    expect(frames(run(`+RESP:GTFRI,${'1'.repeat(3_000)}${message}$`, size))).toEqual([56]);
  });
});

describe('identify', () => {
  const says = (text: string) => gl200text.identify?.(fromLatin1(text), 'tcp');

  it('requires head, version and id', () => {
    expect([says(''), says('+RES'), says('+RESP:GTFRI,0601')]).toEqual(['more', 'more', 'more']);
    expect([says(message), says('+ACK:GTHBD,1A0401,135790246811220,')]).toEqual(['yes', 'yes']);
    expect([says('+RSP'), says('*HQ,'), says('+RESP:GTFRI,x$'), says(`+RESP:GTFRI,${'1'.repeat(40)}`)]).toEqual([
      'no',
      'no',
      'no',
      'no',
    ]);
  });
});

describe('simulator', () => {
  const read = (text: string) => gl200text.simulator.read(fromLatin1(text))?.message.type;

  it('distinguishes acknowledgements from commands', () => {
    expect([
      read('+SACK:11F0$'),
      read('+SACK:GTHBD,1A0401,11F0$'),
      read('AT+GTRTO=,1,,,,,,FFFF$'),
      read('+SACK'),
    ]).toEqual(['acknowledged', 'other', 'command', undefined]);
  });
});
