import { crc8Nrsc5, crc16CcittFalse, Writer } from '#codec';

export const RESPONSE = 0;
export const APPDATA = 1;
export const SIGNED_APPDATA = 2;
/** header without routing, with its checksum */
export const HEADER_BYTES = 11;
/** with addresses of sender and receiver, and how often it may be passed on */
export const ROUTED_HEADER_BYTES = 16;

/** A packet without routing (clause 6.6 of the transport layer). */
export function packet(type: number, id: number, data: Uint8Array): Uint8Array {
  const writer = new Writer(HEADER_BYTES + data.length + 2).u8(1).u8(0).u8(0).u8(HEADER_BYTES).u8(0);
  writer.u16LE(data.length).u16LE(id).u8(type);
  return writer.u8(crc8Nrsc5(writer.finish())).raw(data).u16LE(crc16CcittFalse(data)).finish();
}

/** A record of one service (service layer, clause 6.7): sub-records of `content`, without object, event and time. */
export function record(number: number, service: number, content: Uint8Array): Uint8Array {
  return new Writer(7 + content.length)
    .u16LE(content.length)
    .u16LE(number)
    .u8(0)
    .u8(service)
    .u8(service)
    .raw(content)
    .finish();
}

export const subRecord = (type: number, content: Uint8Array): Uint8Array =>
  new Writer(3 + content.length).u8(type).u16LE(content.length).raw(content).finish();
