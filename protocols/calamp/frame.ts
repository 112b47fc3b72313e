import { datagrams } from '#codec/framing';

/** A message is at most 848 bytes long. */
export const MAX_FRAME_BYTES = 2_048;

export const frame = datagrams;

const OPTIONS = 0x80;
const MOBILE_ID = 0x01;
const ID_TYPE = 0x02;
const MAX_ID_BYTES = 10;
const MAX_SERVICE = 2;
const MAX_TYPE = 11;
/** Of mobile id types: electronic serial number, IMEI, IMSI, user, telephone, address, MEID. */
const MAX_ID_TYPE = 7;

/** By an options header with identity and its type, and the message header behind it. */
export function identify(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  const options = bytes[0]!;
  if ((options & (OPTIONS | MOBILE_ID | ID_TYPE)) !== (OPTIONS | MOBILE_ID | ID_TYPE)) return 'no';
  if (bytes.length < 2) return 'more';
  const length = bytes[1]!;
  if (length === 0 || length > MAX_ID_BYTES) return 'no';
  const at = 2 + length;
  if (bytes.length < at + 2) return 'more';
  if (bytes[at] !== 1 || bytes[at + 1]! > MAX_ID_TYPE) return 'no';
  let header = at + 2;
  for (let bit = 2; bit < 7; bit++) if (options & (1 << bit)) header += 1 + (bytes[header] ?? 0);
  if (bytes.length < header + 4) return 'more';
  return bytes[header]! <= MAX_SERVICE && bytes[header + 1]! <= MAX_TYPE ? 'yes' : 'no';
}
