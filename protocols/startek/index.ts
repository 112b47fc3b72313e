import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'startek',
    title: 'Startek',
    vendor: 'Startek',
    models: ['ST-200', 'ST-300', 'ST-500', 'ST-900', 'VT100', 'VT200', 'VT200-L', 'PT60'],
    port: 5222,
    options: {
      lenientChecksum: { type: 'boolean', title: 'Take messages whose checksum is wrong', default: false },
    },
    setup: ['SMS 0000,100,1,{host},{port}', 'SMS 0000,102,<interval in seconds>'],
    notCovered: [
      'The units of the serial port’s hours (710, line T2), which are kept as sent',
      'Compressed positions (020): kept as text',
      'An answer to positions without confirmation (000), which a copy of the document of VT200-L shows and trackers do not wait for',
      'Fields of the system’s state, which are kept as a number',
    ],
  },
  { framing, decoding, commanding, simulator },
);
