import { describe, expect, it } from 'vitest';
import {
  type CardFile,
  type CardSignatures,
  parseTachograph,
  verifyTachograph,
} from '../../../src/server/tachograph/engine/index.ts';
import { cardFile, datesFrom, dayOf, ordinary } from '../../support/tachograph.ts';

const card = cardFile({ days: datesFrom('2026-03-02', 5).map((date) => dayOf(date, ordinary)) });

interface Tlv {
  readonly fid: number;
  readonly type: number;
  readonly value: Uint8Array;
}

function split(bytes: Uint8Array): Tlv[] {
  const parts: Tlv[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [fid, length] = [(bytes[at]! << 8) | bytes[at + 1]!, (bytes[at + 3]! << 8) | bytes[at + 4]!];
    parts.push({ fid, type: bytes[at + 2]!, value: bytes.subarray(at + 5, at + 5 + length) });
    at += 5 + length;
  }
  return parts;
}

const join = (parts: readonly Tlv[]): Uint8Array =>
  Buffer.concat(
    parts.map(({ fid, type, value }) =>
      Buffer.concat([Buffer.from([fid >> 8, fid & 0xff, type, value.length >> 8, value.length & 0xff]), value]),
    ),
  );

const filled = (length: number): Uint8Array => new Uint8Array(length).fill(0x55);
const ofSignedFiles = (make: (fid: number) => Tlv): Uint8Array =>
  join(split(card).flatMap((part) => (part.fid >= 0x0501 && part.fid !== 0x050e ? [part, make(part.fid)] : [part])));

describe('files of a card of types that Annex IC does not have', () => {
  const plain = parseTachograph(card) as CardFile;

  it('signatures of type 0x81 are of GOST and not verifiable; the files are read', () => {
    const bytes = ofSignedFiles((fid) => ({ fid, type: 0x81, value: filled(64) }));
    expect(parseTachograph(bytes)).toEqual(plain);
    const { gen1 } = verifyTachograph(bytes, []) as CardSignatures;
    expect(gen1!.length).toBeGreaterThan(5);
    for (const { verdict, reason } of gen1!) {
      expect(verdict).toBe('unverifiable');
      expect(reason).toContain('GOST');
    }
  });

  it.each([0x04, 0x10, 0x80, 0x82, 0x85, 0xff])('type %i is skipped by its length', (type) => {
    const bytes = ofSignedFiles((fid) => ({ fid, type, value: filled(40) }));
    const file = parseTachograph(bytes) as CardFile;
    expect(file.gen1).toEqual(plain.gen1);
    expect(new Set(file.findings.map(({ code }) => code))).toEqual(new Set(['unknown-block']));
    expect((verifyTachograph(bytes, []) as CardSignatures).gen1!.map(({ verdict }) => verdict)).not.toContain(
      'invalid',
    );
  });

  it.each([
    ['at the beginning', 1],
    ['in the middle', 4],
    ['at the end', 99],
  ])('a certificate C209 %s is skipped', (_, index) => {
    const parts = split(card);
    for (const type of [0x00, 0x81]) {
      const own = { fid: 0xc209, type, value: filled(219) };
      const file = parseTachograph(join([...parts.slice(0, index), own, ...parts.slice(index)])) as CardFile;
      expect({ ...file, gen1: { ...file.gen1, present: plain.gen1!.present } }).toEqual(plain);
    }
  });

  it('several unknown files in a row are skipped', () => {
    const parts = split(card);
    const own = [0xd001, 0xd002, 0xd003].map((fid) => ({ fid, type: 0x21, value: filled(30) }));
    const file = parseTachograph(join([...parts.slice(0, 4), ...own, ...parts.slice(4)])) as CardFile;
    expect(file.gen1).toEqual(plain.gen1);
  });
});
