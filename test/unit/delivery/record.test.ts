import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32c } from '../../../src/gateway/spool/crc32c.ts';
import { emptyView, findRecord, HEADER_BYTES, readRecord, writeRecord } from '../../../src/gateway/spool/record.ts';

const record = fc.record({
  kind: fc.constantFrom(1 as const, 2 as const),
  bytes: fc.uint8Array({ maxLength: 200 }),
});
const seqs = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER - 100 });

describe('CRC-32C', () => {
  // RFC 3720, appendix B.4, and the check value of the catalogue of parametrised CRC algorithms
  it.each([
    ['123456789', Buffer.from('123456789'), 0xe3069283],
    ['32 zeros', Buffer.alloc(32), 0x8a9136aa],
    ['32 ones', Buffer.alloc(32, 0xff), 0x62a8ab43],
    ['rising', Buffer.from(Array.from({ length: 32 }, (_, index) => index)), 0x46dd794e],
    ['falling', Buffer.from(Array.from({ length: 32 }, (_, index) => 31 - index)), 0x113fdb5c],
  ])('of %s', (_name, bytes, expected) => {
    expect(crc32c(bytes)).toBe(expected);
  });

  it('of a whole is that of its parts one after the other', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(300), (bytes, at) => {
        const cut = Math.min(at, bytes.length);
        expect(crc32c(bytes, cut, bytes.length, crc32c(bytes, 0, cut))).toBe(crc32c(bytes));
      }),
    );
  });
});

describe('a record', () => {
  it('reads as it was written, wherever it stands', () => {
    fc.assert(
      fc.property(record, seqs, fc.nat(0xffffffff), fc.nat(40), (written, seq, time, at) => {
        const block = Buffer.alloc(at + HEADER_BYTES + written.bytes.length, 0xee);
        const end = writeRecord(block, at, seq, time, written);
        const view = emptyView();
        expect(readRecord(block, at, end, view, true)).toBe('ok');
        expect(view).toEqual({ seq, time, kind: written.kind, start: at + HEADER_BYTES, end });
        expect(block.subarray(view.start, view.end)).toEqual(Buffer.from(written.bytes));
      }),
    );
  });

  it('is invalid when a bit of it has changed, and short when it is cut', () => {
    fc.assert(
      fc.property(record, seqs, fc.nat(), fc.nat(7), (written, seq, place, bit) => {
        const block = Buffer.alloc(HEADER_BYTES + written.bytes.length);
        const end = writeRecord(block, 0, seq, 1, written);
        for (let cut = 0; cut < end; cut++) expect(readRecord(block, 0, cut, emptyView(), true)).toBe('short');
        block[place % end]! ^= 1 << bit;
        expect(readRecord(block, 0, end, emptyView(), true)).not.toBe('ok');
      }),
    );
  });

  it('is found behind invalid bytes', () => {
    fc.assert(
      fc.property(record, fc.uint8Array({ maxLength: 100 }), (written, noise) => {
        const block = Buffer.alloc(noise.length + HEADER_BYTES + written.bytes.length);
        block.set(noise);
        writeRecord(block, noise.length, 7, 1, written);
        expect(findRecord(block, 0, block.length, 6, 8)).toBe(noise.length);
        expect(findRecord(block, 0, block.length, 7, 9)).toBe(-1);
      }),
    );
  });
});
