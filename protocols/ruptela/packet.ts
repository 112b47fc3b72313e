import { crc16Kermit, Writer } from '#codec';

/** Length, command, data, checksum over command and data. */
export function packet(command: number, data: Uint8Array): Uint8Array {
  const writer = new Writer(data.length + 5)
    .u16(data.length + 1)
    .u8(command)
    .raw(data);
  return writer.crc16(crc16Kermit, 2).finish();
}
