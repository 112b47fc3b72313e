import { expect, it } from 'vitest';
import h02 from '../../../protocols/h02/index.ts';
import teltonika from '../../../protocols/teltonika/index.ts';
import { createFrameDecoder } from '../../../src/apps/decode-frame.ts';
import { spansOf } from '../../../src/apps/frame-fields.ts';
import { createCatalogue } from '../../../src/codec/catalogue/index.ts';
import type { FrameSpan } from '../../../src/server/index.ts';

const AT = Date.UTC(2026, 4, 15, 10, 30);

const catalogue = createCatalogue([teltonika as never, h02 as never]);

async function spansIn(protocol: string, bytes: Uint8Array, deviceId: string): Promise<readonly FrameSpan[]> {
  const decode = createFrameDecoder(catalogue)({ protocol, transport: 'tcp', deviceId, options: {} })!;
  return (await decode({ bytes, at: AT }).spans())!;
}

const at = (spans: readonly FrameSpan[], byte: number): FrameSpan =>
  spans.find(({ from, to }) => from <= byte && byte < to)!;

it('finds the fields of a packet of Teltonika', async () => {
  // the example of codec 8 in the vendor's wiki, with its offsets
  const packet =
    '000000000000003608010000016b40d8ea30010000000000000000000000000000000105021503010101425e0f01f10000601a014e0000000000000000010000c7cf';
  const spans = await spansIn('teltonika', Buffer.from(packet, 'hex'), '356307042441013');
  expect(spans.map(({ to }) => to)).toEqual([...spans.slice(1).map(({ from }) => from), packet.length / 2]);
  // last bytes of the timestamp, the signal (element 21), the external voltage (element 66)
  expect(at(spans, 17).values).toContain('/0/deviceTime');
  expect(at(spans, 38)).toMatchObject({ kind: 'value', values: ['/0/attributes/rssi'] });
  for (const byte of [43, 44]) expect(at(spans, byte)).toMatchObject({ values: ['/0/attributes/power'] });
  // the number of an element: its value, and none that only another number would have
  expect(at(spans, 37)).toMatchObject({ values: ['/0/attributes/rssi'] });
  // length, number of records; checksum
  for (const byte of [7, 9]) expect(at(spans, byte).kind).toBe('structure');
  for (const byte of [62, 65]) expect(at(spans, byte)).toMatchObject({ kind: 'other', values: [] });
});

it('finds the fields of a text', async () => {
  const text = '*HQ,4109179024,V1,103000,A,2234.9273,N,11354.3980,E,000.07,000,150526,FFFFFBFF,460,00,10342,4283#';
  const spans = await spansIn('h02', Buffer.from(text), '4109179024');
  const valuesOf = (field: string): Set<string> => {
    const from = text.indexOf(field);
    return new Set(
      [...field].flatMap((_, n) => at(spans, from + n).values.map((each) => each.replace(/^\/\d+\//, ''))),
    );
  };
  expect(valuesOf('2234.9273')).toEqual(new Set(['latitude']));
  expect(valuesOf('11354.3980')).toEqual(new Set(['longitude']));
  expect(valuesOf('10342')).not.toContain('latitude');
});

it('answers nothing for frames that are too long', async () => {
  let decoded = 0;
  const decode = () => {
    decoded += 1;
    return [{ type: 'position' }];
  };
  expect(await spansOf(new Uint8Array(4_096), decode)).toBeUndefined();
  expect(decoded).toBe(0);
});
