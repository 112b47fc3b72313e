import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'radar',
    title: 'Radar',
    vendor: 'Radar',
    models: ['Radar'],
    port: 5188,
    correlation: 'none',
    resync: 'none',
    options: { lenientChecksum: { type: 'boolean', title: 'Take messages whose checksum is wrong', default: false } },
    setup: ['Server {host}, port {port}, TCP', 'The device is registered by its serial number in decimal'],
    notCovered: [
      'The vendor’s document was not available: the format is that of recorded messages',
      'Acknowledgements: their content is not known, and recorded devices send on without them',
      'Tilt, accelerations, faults and elements whose meaning is not known (10 to 14 and 16 to 50): passed over',
    ],
  },
  { framing, decoding, commanding, simulator },
);
