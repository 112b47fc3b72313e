import { type Draft, type Reader, toHex } from '#codec';

const MAX_LEVEL = 111;

/** A level counts from -111 dBm; above 0 dBm there is none. */
function level(reader: Reader): { rssi?: number } {
  const value = reader.u8();
  return value > MAX_LEVEL ? {} : { rssi: value - MAX_LEVEL };
}

/** The serving cell, whose network is that of its neighbours. */
function readCells(flags: number, reader: Reader, draft: Draft): void {
  let mcc = 0;
  let mnc = 0;
  if (flags & 0x02) {
    mcc = reader.u16();
    mnc = reader.u16();
  }
  for (let bit = 0x02; bit <= 0x08; bit <<= 1) {
    if (flags & bit) draft.addCell({ mcc, mnc, lac: reader.u16(), cid: reader.u32(), ...level(reader) });
  }
}

/** An access point; its strength in dBm with a sign, or from some devices without one. */
function readAccessPoint(reader: Reader, draft: Draft): void {
  const mac = toHex(reader.view(6)).replace(/(..)(?=.)/g, '$1:');
  const strength = reader.i8();
  draft.addAccessPoint(mac, strength > 0 ? 0 - strength : strength);
}

/** Physical id, channel and strength: no cell id by which one could be looked up. */
const NEIGHBOUR_BYTES = 5;

/** The serving cell of LTE, its neighbours, and further access points. */
function readExtension(reader: Reader, draft: Draft): void {
  reader.skip(1);
  const counts = reader.u8();
  const cells = counts & 0x07;
  if (cells > 0) {
    const mcc = reader.u16();
    const mnc = reader.u16();
    reader.skip(2);
    const lac = reader.u16();
    const cid = reader.u32();
    reader.skip(6);
    draft.addCell({ mcc, mnc, lac, cid, rssi: reader.i8() });
    reader.skip((cells - 1) * NEIGHBOUR_BYTES);
  }
  for (let left = (counts >> 3) & 0x0f; left > 0; left--) readAccessPoint(reader, draft);
}

/** Cells and access points of a position, each where its flag says so. */
export function readNetwork(flags: number, reader: Reader, draft: Draft): void {
  readCells(flags, reader, draft);
  for (let bit = 0x10; bit <= 0x40; bit <<= 1) if (flags & bit) readAccessPoint(reader, draft);
  if (flags & 0x80) readExtension(reader, draft);
}
