import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'gator',
    title: 'GatorCorp',
    vendor: 'GatorCorp',
    models: ['M508', 'M528', 'M558', 'M588'],
    port: 5052,
    transports: ['tcp', 'udp'],
    correlation: 'none',
    options: { lenientChecksum: { type: 'boolean', title: 'Take messages whose checksum is wrong', default: false } },
    setup: ['SMS: 6666,server,{host},{port}'],
    notCovered: [
      'The vendor’s document was not available: the format is that of recorded messages and of a simulator',
      'Cards of drivers (94): answered, and passed over',
      'Commands of the vendor other than the typed ones and whole messages',
    ],
  },
  { framing, decoding, commanding, simulator },
);
