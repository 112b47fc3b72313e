import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'tzone',
    title: 'TZONE',
    vendor: 'TZONE Digital Technology',
    models: ['TZ-AVL05', 'TZ-AVL08', 'TZ-AVL10', 'TZ-AVL201', 'TZ-TT18', 'TZ-TT19'],
    port: 5029,
    correlation: 'none',
    options: {
      ack: { type: 'boolean', title: 'Acknowledge every message (devices that are set up for it)', default: false },
    },
    setup: ['SMS: *000000,015,0,{host},{port}#', 'SMS: *000000,011,<apn>,,#'],
    notCovered: ['The place of the TT19, which leaves its hemispheres open', 'Checksums, which are not looked at'],
  },
  { framing, decoding, commanding, simulator },
);
