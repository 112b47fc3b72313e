import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOfNames, hasNames, nameRanges, type Span } from '../../../src/server/ingest/batches/positions/known.ts';

/** JSON text of an object, with other bytes around it. */
function spanOf(attributes: object): Span {
  const text = Buffer.from(JSON.stringify(attributes));
  const bytes = Uint8Array.from([...Buffer.from('"x'), ...text, ...Buffer.from('"y":1}')]);
  return { view: new DataView(bytes.buffer), start: 2, end: 2 + text.length };
}
const sameNames = (one: object, other: object): boolean =>
  hasNames(spanOf(one), spanOf(other).view, nameRanges(spanOf(other)));
const hash = (attributes: object): number => hashOfNames(spanOf(attributes).view, nameRanges(spanOf(attributes)));
const name = fc.oneof(fc.constantFrom('a', 'ab', 'b', '"', ',', ':{', '\\', '\\"', 'é'), fc.string({ maxLength: 3 }));
const value = fc.oneof(fc.integer(), fc.double({ noNaN: true }), fc.boolean(), name);
const attributes = fc.dictionary(name, value, { maxKeys: 4 });

describe('names of attributes', () => {
  it('are the same whatever the values', () => {
    fc.assert(
      fc.property(attributes, fc.array(value, { minLength: 4, maxLength: 4 }), (one, values) => {
        const other = Object.fromEntries(Object.keys(one).map((key, n) => [key, values[n]!]));
        expect(sameNames(one, other)).toBe(true);
        expect(hash(one)).toBe(hash(other));
      }),
    );
  });

  it('end with the text, also where it is not JSON', () => {
    const text = fc.string({ unit: fc.constantFrom('{', '}', '"', ':', ',', '\\', 'a') });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [a, b] = [one, other].map((t): Span => {
          const view = new DataView(Uint8Array.from(Buffer.from(t)).buffer);
          return { view, start: 0, end: view.byteLength };
        });
        expect(hasNames(a!, a!.view, nameRanges(a!))).toBe(true);
        expect(() => hasNames(a!, b!.view, nameRanges(b!))).not.toThrow();
      }),
    );
  });

  it('differ where one is missing, added or another, or their order is another', () => {
    fc.assert(
      fc.property(attributes, attributes, (one, other) => {
        const isSame = JSON.stringify(Object.keys(one)) === JSON.stringify(Object.keys(other));
        expect(sameNames(one, other)).toBe(isSame);
        expect(hash(one) === hash(other)).toBe(isSame);
      }),
      { numRuns: 1_000 },
    );
    expect(Number.isSafeInteger(hash({ ignition: true, power: 12 }))).toBe(true);
  });
});
