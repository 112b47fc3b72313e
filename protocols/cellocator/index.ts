import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'cellocator',
    title: 'Cellocator (Pointer, PowerFleet)',
    vendor: 'PowerFleet',
    models: ['CelloTrack', 'CelloTrack Nano', 'Cello-F', 'Cello-IQ', 'Cello-CANiQ', 'Compact', 'PointerCept'],
    port: 5033,
    transports: ['tcp', 'udp'],
    correlation: 'none',
    options: { lenientChecksum: { type: 'boolean', title: 'Take messages whose checksum is wrong', default: false } },
    initialState: () => ({}),
    setup: [
      'Cellocator Programmer, communication: primary server {host}, port {port}, TCP or UDP, wireless protocol with acknowledgement',
      'The device is registered by its unit id in decimal',
    ],
    notCovered: [
      'Programming, logs, forwarded data and modular messages (3, 7, 8, 9): acknowledged only',
      'Modules other than general values, fix and time (2, 6, 7)',
    ],
  },
  { framing, decoding, commanding, simulator },
);
