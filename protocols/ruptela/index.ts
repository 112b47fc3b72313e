import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'ruptela',
    title: 'Ruptela',
    vendor: 'Ruptela',
    models: [
      'FM-Tco3',
      'FM-Tco4',
      'FM-Eco3',
      'FM-Eco4',
      'FM-Pro3',
      'FM-Pro4',
      'FM-Plug4',
      'HCV5',
      'LCV5',
      'Trace5',
      'OBD',
    ],
    port: 5046,
    resync: 'none',
    options: {
      lenientChecksum: { type: 'boolean', title: 'Take frames whose checksum is wrong', default: false },
    },
    initialState: () => ({}),
    setup: [
      'SMS: <password> setconnection <APN>,<user>,<APN password>,{host},{port},TCP (the password is empty at first: begin with a blank)',
      'Or in the configurator: Connection, server 1: {host}, port {port}, TCP; protocol: extended or standard records',
    ],
    notCovered: [
      'Data of the transparent channel, of weighing, Garmin and tachographs (10 to 12, 18, 30 to 33): kept raw and acknowledged',
    ],
  },
  { framing, decoding, commanding, simulator },
);
