import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'naviset',
    title: 'Naviset',
    vendor: 'Naviset',
    models: ['GT-10', 'GT-20', 'GT-20 PRO', 'GT-50'],
    port: 5194,
    correlation: 'none',
    resync: 'none',
    options: { lenientChecksum: { type: 'boolean', title: 'Take messages whose checksum is wrong', default: false } },
    setup: ['Naviset configurator, servers: {host}, port {port}, protocol Naviset'],
    notCovered: [
      'The vendor’s document was not available: the format is that of recorded messages',
      'Accelerometer, key codes (of the later structure), frequencies of fuel sensors and axle loads: passed over',
      'Answers to commands, among them pictures: acknowledged, not read',
      'Commands of the vendor other than whole messages',
    ],
  },
  { framing, decoding, commanding, simulator },
);
