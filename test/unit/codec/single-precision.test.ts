import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Draft, fromHex, Reader, Writer } from '#codec';
import { attr, fix, layout, number } from '#codec/binary';

const read = (bits: string): number => new Reader(fromHex(bits)).f32();
const decimals = fc.integer({ min: -999_999, max: 999_999 });

describe('numbers of single precision', () => {
  // Source: strconv.FormatFloat(f, 'g', -1, 32) of Go 1.26.
  it.each([
    ['414570a4', 12.34],
    ['42b36666', 89.7],
    ['423e62b7', 47.5964],
    ['3f81b8ea', 1.0134556],
    ['bdcccccd', -0.1],
    ['3e99999a', 0.3],
    ['440cefb8', 563.7456],
    ['4ceb79a3', 123_456_790],
    ['501502f9', 1e10],
    ['7f7fffff', 3.4028235e38],
    ['00000001', 1e-45],
    ['00400000', 5.877472e-39],
  ])('%s is %d', (bits, expected) => {
    expect(read(bits)).toBe(expected);
  });

  it('are the decimal number that the device sent, of up to six digits', () => {
    fc.assert(
      fc.property(decimals, fc.integer({ min: 0, max: 12 }), (digits, places) => {
        const sent = Number(`${digits}e-${places}`) + 0;
        expect(new Reader(new Writer().f32(sent).finish()).f32()).toBe(sent);
        expect(new Reader(new Writer().f32LE(sent).finish()).f32LE()).toBe(sent);
      }),
    );
  });

  it('read back as the same bits', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true }), (value) => {
        const decimal = new Reader(new Writer().f32(value).finish()).f32();
        expect(Math.fround(decimal) === value).toBe(true);
        expect(Number(decimal.toPrecision(9)) === decimal).toBe(true);
      }),
    );
    expect(read('7fc00000')).toBeNaN();
    expect(read('ff800000')).toBe(Number.NEGATIVE_INFINITY);
  });

  it('are the first of their decimal forms of six digits and more that stands for them', () => {
    const usual = fc.float({ noNaN: true, noDefaultInfinity: true, min: -1e7, max: 1e7 });
    fc.assert(
      fc.property(usual, (value) => {
        fc.pre(Math.abs(value) >= 2 ** -126 && !Number.isInteger(value));
        const forms = [6, 7, 8, 9].map((digits) => Number(value.toPrecision(digits)));
        const first = forms.find((decimal) => Math.fround(decimal) === value);
        expect(new Reader(new Writer().f32(value).finish()).f32()).toBe(first);
      }),
    );
  });

  it('are exact where that is asked for', () => {
    expect(new Reader(fromHex('414570a4')).exactF32()).toBe(12.34000015258789);
    expect(new Reader(fromHex('a4704541')).exactF32LE()).toBe(12.34000015258789);
  });

  it('do not change a coordinate', () => {
    const [latitude, longitude] = [Math.fround(48.123_456_7), Math.fround(144.113_2)];
    for (const [kind, bytes] of [
      ['f32', new Writer().f32(latitude).f32(longitude).finish()],
      ['f32LE', new Writer().f32LE(latitude).f32LE(longitude).finish()],
    ] as const) {
      const draft = new Draft();
      layout(fix.coordinates(kind))(new Reader(bytes), draft);
      expect([draft.latitude, draft.longitude]).toEqual([48.123455048, 144.113204956]);
    }
  });

  it('stay decimal numbers where a factor is applied', () => {
    const draft = new Draft();
    layout([number('f32', attr('odometer', { factor: 1000 })), number('f32LE', attr('power', { divisor: 10 }))])(
      new Reader(new Writer().f32(7.770938).f32LE(12.3).finish()),
      draft,
    );
    expect(draft.toPosition().attributes).toEqual({ odometer: 7770.938, power: 1.23 });
  });
});
