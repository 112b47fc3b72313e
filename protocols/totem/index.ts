import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'totem',
    title: 'Totem',
    vendor: 'Totem Technology',
    models: ['AT05', 'AT07', 'AT09'],
    port: 5007,
    options: { password: { type: 'string', title: 'Password of the device', default: '000000' } },
    setup: ['SMS: *000000,003,0,{host},{port}#', 'SMS: *000000,001,<apn>,,#'],
    notCovered: [
      'Checksums, which are not looked at',
      'Intake flow and pressure of OBD messages',
      'Pictures (sentences that begin with $U)',
    ],
  },
  { framing, decoding, commanding, simulator },
);
