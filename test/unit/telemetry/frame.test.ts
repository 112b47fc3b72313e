import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameJson, isPackedFrame, packFrame, unpackFrame } from '../../../src/contract/telemetry/index.ts';

const visible = (least: number, most: number) =>
  fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c)),
    minLength: least,
    maxLength: most,
  });
const head = fc.record({
  at: fc.integer({ min: 0, max: Date.UTC(9999, 0, 1) }),
  imei: fc.option(fc.stringMatching(/^[A-Za-z0-9._:-]{1,64}$/), { nil: undefined }),
  conn: visible(1, 64),
  protocol: fc.stringMatching(/^[a-z0-9]{1,32}$/),
  transport: fc.constantFrom('tcp', 'udp', 'http'),
  remote: visible(1, 64),
});
const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

describe('a packed frame', () => {
  it('has the same values and the same text as what was packed', () => {
    fc.assert(
      fc.property(head, fc.uint8Array({ maxLength: 300 }), (given, bytes) => {
        const packed = packFrame(given, bytes)!;
        expect(isPackedFrame(viewOf(packed), 0, packed.length)).toBe(true);
        expect(unpackFrame(packed)).toEqual({ head: given, bytes: Buffer.from(bytes) });
        const text = { type: 'frame', ...given, bytes: Buffer.from(bytes).toString('base64') };
        expect(JSON.parse(frameJson(packed))).toEqual(JSON.parse(JSON.stringify(text)));
      }),
    );
  });

  it('has the documented layout', () => {
    const given = { at: 1, imei: '12', conn: 'a.1', protocol: 'h02', transport: 'udp', remote: '[::1]:9' } as const;
    const hex = packFrame(given, Buffer.from('78'))!.toString('hex');
    // 1.0 as a double, layout, udp, lengths of id, connection, protocol and peer, nothing; texts; bytes
    expect(hex).toBe(`3ff0000000000000${'01010203'}${'0307'}0000${Buffer.from('12a.1h02[::1]:978').toString('hex')}`);
  });

  it('is refused for texts that other readers could not read', () => {
    const given = { at: 1, imei: '12', conn: 'a.1', protocol: 'h02', transport: 'tcp', remote: 'x:1' } as const;
    for (const remote of ['è:1', 'a b', 'a\0', 'x'.repeat(65), 'x'.repeat(256)]) {
      expect(packFrame({ ...given, remote }, Buffer.alloc(1))).toBeUndefined();
    }
  });

  it('is distinguished from other bytes', () => {
    const packed = packFrame(
      { at: 5, imei: '12', conn: 'a.1', protocol: 'h02', transport: 'tcp', remote: 'x:1' },
      Buffer.from('frame'),
    )!;
    const isFrame = (change: (bytes: Buffer) => void, length = packed.length): boolean => {
      const changed = Buffer.from(packed);
      change(changed);
      return isPackedFrame(viewOf(changed), 0, length);
    };
    expect(isFrame(() => {})).toBe(true);
    expect(isFrame(() => {}, 15)).toBe(false);
    // the texts would run beyond the end
    expect(isFrame(() => {}, 26)).toBe(false);
    expect(isFrame((bytes) => bytes.writeUInt8(255, 11))).toBe(false);
    expect(isFrame((bytes) => bytes.writeUInt8(2, 8))).toBe(false);
    expect(isFrame((bytes) => bytes.writeUInt8(3, 9))).toBe(false);
    expect(isFrame((bytes) => bytes.writeDoubleBE(-1, 0))).toBe(false);
    expect(isFrame((bytes) => bytes.writeDoubleBE(Number.NaN, 0))).toBe(false);
    expect(isFrame((bytes) => bytes.writeDoubleBE(1.5, 0))).toBe(false);
    expect(isFrame((bytes) => bytes.writeUInt8(0, 17))).toBe(false);
    expect(isFrame((bytes) => bytes.writeUInt8(0xe8, 17))).toBe(false);
    // a peer of 65 characters, a protocol of 33: longer than an event in JSON may have them
    const long = packFrame(
      { at: 5, imei: '12', conn: 'a', protocol: 'p'.repeat(32), transport: 'tcp', remote: 'x'.repeat(64) },
      Buffer.from('frame'),
    )!;
    const isLong = (at: number): boolean => {
      const changed = Buffer.from(long);
      changed[at]!++;
      return isPackedFrame(viewOf(changed), 0, changed.length);
    };
    expect(isPackedFrame(viewOf(long), 0, long.length)).toBe(true);
    expect([isLong(11), isLong(12), isLong(13)]).toEqual([true, false, false]);
    // its own bytes may be any
    expect(isFrame((bytes) => bytes.writeUInt8(0, packed.length - 1))).toBe(true);
    expect(() => frameJson(Buffer.from('none'))).toThrow(RangeError);
  });
});
