import { crc16Modbus, trailingCrc16, Writer } from '#codec';
import { identifyBytes, lengthPrefixed } from '#codec/framing';

const MARK = [0x5a, 0xa5] as const;
/** mark and length */
export const HEAD_BYTES = 4;
export const CRC_BYTES = 2;
export const MAX_FRAME_BYTES = 1_024;

/** The first type is that of the first message. */
export const TYPE = { login: 1, positions: 2, heartbeat: 3, answer: 4, acknowledgement: 0x81, command: 0x90 } as const;

// TODO frame: `5A A5`, u16 length of type and body, u8 type, body, CRC-16/MODBUS of all before it. Little endian.
export const frame = lengthPrefixed({
  starts: [MARK],
  head: HEAD_BYTES,
  length: { at: 2, bytes: 2, order: 'little', adds: HEAD_BYTES + CRC_BYTES },
  maxBytes: MAX_FRAME_BYTES,
  resumeAt: 1,
});

export const verify = trailingCrc16(crc16Modbus, 'little');

// TODO identify: the first bytes of a connection.
export const identify = identifyBytes([...MARK, 'any', [0, MAX_FRAME_BYTES >> 8], [TYPE.login, TYPE.answer]]);

/** Type and body as a packet, of either side. */
export const seal = (content: Writer): Uint8Array =>
  new Writer().hex('5aa5').u16LE(content.length).raw(content.finish()).crc16LE(crc16Modbus).finish();
