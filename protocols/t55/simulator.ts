import { asCommand, fromLatin1, readAll, type Simulator, toHex } from '#codec';
import { rmcSentence } from '#codec/text';

export const simulator: Simulator = {
  report: ([fix], deviceId) => fromLatin1(`${deviceId}$${rmcSentence(fix!)}\r\n`),
  heartbeat: (deviceId) => fromLatin1(`$IMEI=${deviceId}\r\n`),
  acknowledges: false,
  read: readAll(asCommand((frame) => toHex(frame))),
};
