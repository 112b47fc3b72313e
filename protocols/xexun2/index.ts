import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'xexun2',
    title: 'Xexun, binary',
    vendor: 'Xexun',
    models: ['XT-009', 'G21', 'R18', 'G26', 'J3'],
    port: 5233,
    expectsReply: [{ title: 'positions', frame: /^faaf0014/, reply: /^faaf0014/ }],
    setup: ['SMS adminip123456 {host} {port}', 'SMS apn123456 <name>'],
    notCovered: [
      'Parts of a record that the mask announces by its bits 2, 3 and 5 to 7',
      'Bits of alarms without a name',
    ],
  },
  { framing, decoding, commanding, simulator },
);
