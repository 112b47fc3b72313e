import { Writer } from '#codec';
import type { Rejection, StreamContext, StreamTarget } from '../../message.ts';
import { type Cut, openLink, sendInWindow } from '../link.ts';
import { numberOf, type Report, wholeDegrees } from '../report.ts';
import { isMarked, type Param, paramsOf } from './params.ts';

// Facts: "WialonRetranslator 1.0 protocol description" of Gurtam (English).

const BLOCK = 0x0bbb;
const ACKNOWLEDGEMENT = 0x11;
const [SHOWN, HIDDEN] = [0, 1];
const [TEXT, BINARY, INTEGER, DOUBLE, LONG] = [1, 2, 3, 4, 5];
const FLAGS = { place: 0x1, inputs: 0x2, outputs: 0x4, alarm: 0x10 };
const MAX_INTEGER = 0x7fff_ffff;
/** both as bit fields, hidden in the parameters of a message */
const BITS: Readonly<Record<string, string>> = { input: 'avl_inputs', output: 'avl_outputs' };

function block(isHidden: boolean, type: number, name: string, value: Uint8Array): Uint8Array {
  const content = new Writer(name.length + 3 + value.length).u8(isHidden ? HIDDEN : SHOWN).u8(type);
  const bytes = content.latin1(`${name}\0`).raw(value).finish();
  return new Writer(6 + bytes.length).u16(BLOCK).u32(bytes.length).raw(bytes).finish();
}

function double(value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

/** It has no absent values: what the record lacks is 0. */
function placeBlock({ latitude, longitude }: NonNullable<Report['place']>, report: Report): Uint8Array {
  const place = new Writer(29)
    .raw(double(longitude))
    .raw(double(latitude))
    .raw(double(report.altitude ?? 0));
  place.u16(Math.round(report.speed ?? 0)).u16(wholeDegrees(report.course ?? 0));
  return block(true, BINARY, 'posinfo', place.u8(Math.min(255, Math.round(numberOf(report, 'sat') ?? 0))).finish());
}

function paramBlock({ name, value }: Param): Uint8Array {
  if (typeof value === 'string') return block(false, TEXT, name, Buffer.from(`${value}\0`));
  if (!Number.isSafeInteger(value)) return block(false, DOUBLE, name, double(value));
  if (Math.abs(value) > MAX_INTEGER) return block(false, LONG, name, new Writer(8).u64(value).finish());
  return block(false, INTEGER, name, new Writer(4).u32(value).finish());
}

/** A packet names its device. */
export function retranslatorPacket(report: Report): Uint8Array {
  const { device, time, place } = report;
  let flags = isMarked(report) ? FLAGS.alarm : 0;
  const blocks = new Writer(512);
  const fields = new Set<string>();
  if (place !== undefined) {
    flags |= FLAGS.place;
    fields.add('sat');
    blocks.raw(placeBlock(place, report));
  }
  const bits = new Writer(64);
  for (const [key, flag] of [
    ['input', FLAGS.inputs],
    ['output', FLAGS.outputs],
  ] as const) {
    const value = numberOf(report, key);
    if (value === undefined || !Number.isInteger(value) || value < 0 || value > 0xffff_ffff) continue;
    flags |= flag;
    fields.add(key);
    bits.raw(block(true, INTEGER, BITS[key]!, new Writer(4).u32(value).finish()));
  }
  for (const param of paramsOf(report, (key) => fields.has(key))) blocks.raw(paramBlock(param));
  blocks.raw(bits.finish());
  const head = new Writer(device.length + 9)
    .latin1(`${device}\0`)
    .u32(Math.floor(time / 1_000))
    .u32(flags);
  const length = head.length + blocks.length;
  return new Writer(4 + length).u32LE(length).raw(head.finish()).raw(blocks.finish()).finish();
}

const cutByte: Cut<number> = (bytes) => (bytes.length === 0 ? undefined : { frame: bytes[0]!, length: 1 });

/** One connection for all devices. The receiver confirms each packet, and has no way to reject one. */
export async function openRetranslator(target: StreamTarget, context: StreamContext, inFlight: number) {
  const link = await openLink(target, context, cutByte);
  return {
    close: link.close,
    reach: async (): Promise<void> => {},
    async send(reports: readonly Report[]): Promise<readonly Rejection[]> {
      await sendInWindow(link, reports, inFlight, {
        encode: retranslatorPacket,
        async answered() {
          const byte = await link.read();
          if (byte !== ACKNOWLEDGEMENT) throw new Error(`the receiver answers with byte ${byte}, not 17`);
        },
      });
      return [];
    },
  };
}
