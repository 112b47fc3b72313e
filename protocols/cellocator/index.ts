import type { StreamProtocol } from '#codec';
import { commands, dangerous } from './commands.ts';
import { acknowledgeUndecoded, decode, type State } from './decode.ts';
import { frame, identify, MAX_FRAME_BYTES, verify } from './frame.ts';
import { simulator } from './simulator.ts';

const cellocator: StreamProtocol<State> = {
  id: 'cellocator',
  title: 'Cellocator (Pointer, PowerFleet)',
  vendor: 'PowerFleet',
  models: ['CelloTrack', 'CelloTrack Nano', 'Cello-F', 'Cello-IQ', 'Cello-CANiQ', 'Compact', 'PointerCept'],
  service: 'cellocator',
  port: 5033,
  carrier: 'bytes',
  transports: ['tcp', 'udp'],
  maxFrameBytes: MAX_FRAME_BYTES,
  resync: 'marker',
  integrity: 'checksum',
  correlation: 'none',
  options: { lenientChecksum: { type: 'boolean', title: 'Take messages whose checksum is wrong', default: false } },
  initialState: () => ({}),
  identify,
  frame,
  verify,
  decode,
  acknowledgeUndecoded,
  commands,
  dangerous,
  simulator,
  setup: [
    'Cellocator Programmer, communication: primary server {host}, port {port}, TCP or UDP, wireless protocol with acknowledgement',
    'The device is registered by its unit id in decimal',
  ],
  notCovered: [
    'Programming, logs, forwarded data and modular messages (3, 7, 8, 9): acknowledged only',
    'Modules other than general values, fix and time (2, 6, 7)',
  ],
};

export default cellocator;
