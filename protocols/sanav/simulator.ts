import { asCommand, fromLatin1, readAll, type Simulator, toLatin1 } from '#codec';
import { rmcSentence } from '#codec/text';

export const simulator: Simulator = {
  report: ([fix], deviceId) => fromLatin1(`imei=${deviceId}&rmc=$${rmcSentence(fix!, 5)},AUTO,3912,79\r\n`),
  acknowledges: false,
  read: readAll(asCommand(toLatin1)),
};
