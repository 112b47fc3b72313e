import { asCommand, fromLatin1, readUntil, type Simulator, toLatin1, Writer, writeFix } from '#codec';

const REPORT = '{id},{yyyyMMddHHmmss},{longitude.6},{latitude.6},{speed},{course},61,7,2,1,0,0.046,0.000\r\n';

/** The device is named by a number of 32 bits, where its id is one. */
function sync(deviceId: string, serial: number): Uint8Array {
  const unit = Number(deviceId);
  return new Writer()
    .hex('faf8')
    .u16LE(serial & 0xffff)
    .u32LE(unit <= 0xffff_ffff ? unit : 0)
    .finish();
}

export const simulator: Simulator = {
  report: ([fix], id) => fromLatin1(writeFix(REPORT, fix!, { id })),
  heartbeat: sync,
  answer: (_, outcome) => fromLatin1(outcome === 'done' ? '$OK:TRACKING\r\n' : '$ERR:1\r\n'),
  acknowledges: false,
  read: readUntil(
    '\n',
    asCommand((frame) => toLatin1(frame).trim()),
  ),
};
