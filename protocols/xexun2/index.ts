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
    models: ['XT-009', 'G21', 'R18', 'G26', 'J3', 'X05'],
    port: 5233,
    expectsReply: [
      { title: 'positions', frame: /^faaf0014/, reply: /^faaf0014/ },
      { title: 'blocks', frame: /^faaf0020/, reply: /^faaf0020/ },
      { title: 'version 3', frame: /^fc[0-9a-f]{4}0320/, reply: /^fc000c0320/ },
    ],
    setup: ['SMS adminip123456 {host} {port}', 'SMS apn123456 <name>'],
    notCovered: [
      'Parts of a record that the mask announces by its bits 2, 3 and 5 to 7',
      'Bits of alarms without a name',
      'Commands of the newer formats (0021, and 21 of version 3), whose body is not known: commands are sent as 0007',
      'Dilution of precision, signal levels of satellites, blood pressure and oxygen, modules and settings in the description of the device',
      'Speed in version 3 is read in tenths of km/h, as the documents of June and September 2026 say; those of January and March 2026 have whole km/h under the same version',
    ],
  },
  { framing, decoding, commanding, simulator },
);
