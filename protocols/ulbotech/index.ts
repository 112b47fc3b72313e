import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'ulbotech',
    title: 'Ulbotech',
    vendor: 'Ulbotech',
    models: ['T301', 'T361', 'T363', 'T373'],
    port: 5072,
    options: { lenientChecksum: { type: 'boolean', title: 'Take messages whose checksum is wrong', default: false } },
    setup: ['SMS: *TS01,NETSVR,{host},{port}#'],
    notCovered: [
      'The vendor’s document was not available: the format is that of recorded messages and of other decoders',
      'Values of OBD parameters other than ten, and J1708 values of other types than 2 and 3: passed over',
      'The unit of the fuel count (io8), trips, beacons and sensors of Bluetooth',
    ],
  },
  { framing, decoding, commanding, simulator },
);
