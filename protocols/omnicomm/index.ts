import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'omnicomm',
    title: 'Omnicomm',
    vendor: 'Omnicomm',
    models: ['FAS', 'Profi', 'Optim', 'Light', 'Smart'],
    port: 5203,
    correlation: 'none',
    options: {
      lenientChecksum: { type: 'boolean', title: 'Take frames whose checksum is wrong', default: false },
      firstGeneration: {
        type: 'boolean',
        title: 'Profi, Optim and Lite before the second generation: mileage in m and speed of the sensor in km/h',
        default: false,
      },
    },
    setup: [
      'Omnicomm Configurator: communication server {host}, port {port}',
      'The device is registered by its registrar id in decimal',
    ],
    notCovered: [
      'CAN, OBD, passengers, tyres, photos and logs (groups 4, 7, 10, 11 and 16, and of group 9 all but 1-Wire): passed over',
      'Records of events and logs alone: confirmed, they hold no state of the vehicle',
    ],
  },
  { framing, decoding, commanding, simulator },
);
