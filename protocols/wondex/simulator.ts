import { asCommand, fromLatin1, type ServerMessage, type Simulator, toLatin1, Writer, writeFix } from '#codec';

const KEEP_ALIVE_BYTES = 8;

const REPORT = '{id},{yyyyMMddHHmmss},{longitude.6},{latitude.6},{speed},{course},54,8,2,0.0,0,0.01,0.01,0,0,0,0\r\n';

/** Commands have no end; keep-alives come back. */
function read(buffer: Uint8Array): { readonly bytes: number; readonly message: ServerMessage } | undefined {
  if (buffer[0] !== 0xd0)
    return buffer.length === 0 ? undefined : { bytes: buffer.length, message: asCommand(toLatin1)(buffer.slice()) };
  return buffer.length < KEEP_ALIVE_BYTES ? undefined : { bytes: KEEP_ALIVE_BYTES, message: { type: 'other' } };
}

export const simulator: Simulator = {
  report: ([fix], id) => fromLatin1(writeFix(REPORT, fix!, { id })),
  heartbeat: (deviceId, serial) =>
    new Writer()
      .hex('d0d7')
      .u16LE(serial % 0x1_0000)
      .u32LE(Number(deviceId.slice(-9)))
      .finish(),
  answer: (_, outcome) => fromLatin1(outcome === 'done' ? '$OK:VER=M7 2.003\r\n' : '$ERR:VER=1\r\n'),
  acknowledges: false,
  read,
};
