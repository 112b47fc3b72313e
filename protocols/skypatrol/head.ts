import { CodecError, type DeviceOptions, type Reader } from '#codec';

/** binary reports */
const API = 5;
const REPORT = 2;
const POSITION = 1;

/** API number, report, kind in the upper half of a byte, bytes of the mask: 4, or none. */
export function identify(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  const [high, low, command, kind, mask] = bytes;
  if ((high ?? 0) !== 0 || (low ?? API) !== API || (command ?? REPORT) !== REPORT) return 'no';
  if ((kind ?? 16) >> 4 !== POSITION) return 'no';
  if (mask === undefined) return 'more';
  return mask === 4 || mask === 0 ? 'yes' : 'no';
}

/** The mask of the fields. Throws CodecError `unknown-type` for a message that is no report of positions. */
export function readMask(reader: Reader, options: DeviceOptions): number {
  const [api, command, kind, maskBytes] = [reader.u16(), reader.u8(), reader.u8() >> 4, reader.u8()];
  if (api !== API || command !== REPORT || kind !== POSITION) {
    throw new CodecError('unknown-type', `message ${api}, ${command}, ${kind} is no report`, 0);
  }
  if (maskBytes === 4) return reader.u32();
  const { mask } = options;
  if (typeof mask !== 'number') throw new CodecError('unknown-type', 'a report without a mask', 4);
  reader.skip(maskBytes);
  return mask >>> 0;
}
