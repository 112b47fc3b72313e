import { describe, expect, it } from 'vitest';
import { Driver, type DriverStep, fromHex, fromLatin1, toHex } from '#codec';
import h02 from '../../../protocols/h02/index.ts';

const NOW = Date.UTC(2024, 5, 1, 12);
const ID = '4209951234';

/** 32 bytes: `$`, id, 10:15:30 15/06/24, place, status. */
const short = (id = ID) => fromHex(`24${id}1015301506244807500064011352500e010045fffffbff001406`);
/** 45 bytes: the same and a tail that ends in a counter. */
const long = (counter: string, id = ID) => fromHex(`${toHex(short(id))}${'00'.repeat(12)}${counter}`);
const sentence = (id = ID) => fromLatin1(`*HQ,${id},V0#`);

function run(stream: Uint8Array, sizes: 'whole' | 'bytes', options = {}): { steps: DriverStep[]; buffered: number } {
  const driver = new Driver(h02, { transport: 'tcp', options });
  const steps: DriverStep[] = [];
  const chunks = sizes === 'whole' ? [stream] : Array.from(stream, (_, at) => stream.subarray(at, at + 1));
  for (const chunk of chunks) steps.push(...driver.push(chunk, NOW));
  return { steps, buffered: driver.buffered };
}

const concat = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));
const lengths = (steps: readonly DriverStep[]): number[] =>
  steps.flatMap((step) => (step.type === 'frame' ? [step.bytes.length] : []));
const ids = (steps: readonly DriverStep[]): string[] =>
  steps.flatMap((step) =>
    step.type === 'frame' ? step.messages.flatMap((m) => (m.type === 'login' ? m.ids : [])) : [],
  );

describe.each(['whole', 'bytes'] as const)('length of binary records (%s)', (sizes) => {
  it('is 32 where the next record follows at once', () => {
    const { steps, buffered } = run(concat(short(), short(), short()), sizes);
    expect(lengths(steps)).toEqual([32, 32, 32]);
    expect(buffered).toBe(0);
  });

  it('is learned as 45 where the next record follows a tail', () => {
    const { steps } = run(concat(long('01'), long('02'), sentence(), long('03')), sizes);
    expect(lengths(steps)).toEqual([32, 45, 18, 45]);
  });

  it('is learned although a tail ends in bytes like a record', () => {
    const { steps, buffered } = run(concat(long('24', '4209951204'), long('24', '4209951204'), long('24')), sizes);
    expect(lengths(steps)).toEqual([32, 45, 45]);
    expect(ids(steps)).toEqual(['4209951204', '4209951204', ID]);
    expect(buffered).toBe(0);
  });

  it('is not learned from noise, which is skipped', () => {
    const noise = Uint8Array.from({ length: 200 }, () => 0xee);
    const { steps } = run(concat(short(), noise, short(), noise.subarray(0, 20), sentence(), short()), sizes);
    expect(lengths(steps)).toEqual([32, 32, 18, 32]);
  });

  it('is not learned from a sentence behind a tail', () => {
    const { steps } = run(concat(long('01'), sentence(), long('02'), long('03')), sizes);
    expect(lengths(steps)).toEqual([32, 18, 32, 45]);
  });

  it('is the configured one', () => {
    const { steps } = run(concat(long('24'), long('24')), sizes, { recordBytes: 45 });
    expect(lengths(steps)).toEqual([45, 45]);
  });

  it('is learned if the configured one is invalid', () => {
    const { steps } = run(concat(short(), short()), sizes, { recordBytes: 7 });
    expect(lengths(steps)).toEqual([32, 32]);
  });

  it('X records are passed over', () => {
    const x = short();
    x[0] = 0x58;
    const { steps } = run(concat(x, sentence(), x, short()), sizes);
    expect(lengths(steps)).toEqual([18, 32]);
  });

  it('a sentence that was cut off does not swallow the next', () => {
    const cut = fromLatin1(`*HQ,${ID},V1,1015`);
    expect(lengths(run(concat(cut, sentence()), sizes).steps)).toEqual([18]);
    expect(lengths(run(concat(cut, short(), sentence()), sizes).steps)).toEqual([32, 18]);
  });

  it('a sentence without end is given up', () => {
    const endless = fromLatin1(`*HQ,${ID},${'x'.repeat(4_000)}`);
    const { steps } = run(concat(endless, sentence()), sizes);
    expect(lengths(steps)).toEqual([18]);
  });

  it('line ends between sentences are no frames', () => {
    const { steps } = run(concat(sentence(), fromLatin1('\r\n'), sentence(), fromLatin1('\r\n')), sizes);
    expect(lengths(steps)).toEqual([18, 18]);
  });
});

describe('identify', () => {
  const says = (bytes: Uint8Array) => h02.identify?.(bytes, 'tcp');

  it('knows sentences and records', () => {
    expect(says(sentence())).toBe('yes');
    expect(says(short())).toBe('yes');
    expect(says(new Uint8Array(0))).toBe('more');
    expect(says(short().subarray(0, 20))).toBe('more');
  });

  it.each(['*HQ,12,V1,0#', '*HQ;4209951234,V1', '*HQ,4209951234,ABCDEFGHIJKLMNOP', '$GPRMC,0,1,2', '+RESP', '*H'])(
    'is no "%s"',
    (text) => expect(says(fromLatin1(text))).toBe(text.length < 4 ? 'more' : 'no'),
  );

  it('is no record without time of day, or without a place', () => {
    const late = short();
    late[6] = 0x25;
    const nowhere = short();
    nowhere[12] = 0x91;
    expect([says(late), says(nowhere)]).toEqual(['no', 'no']);
  });
});
