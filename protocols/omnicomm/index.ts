import type { StreamProtocol } from '#codec';
import { commands, dangerous } from './commands.ts';
import { decode } from './decode.ts';
import { frame, identify, MAX_FRAME_BYTES, verify } from './frame.ts';
import { simulator } from './simulator.ts';

const omnicomm: StreamProtocol<undefined> = {
  id: 'omnicomm',
  title: 'Omnicomm',
  vendor: 'Omnicomm',
  models: ['FAS', 'Profi', 'Optim', 'Light', 'Smart'],
  service: 'omnicomm',
  port: 5203,
  carrier: 'bytes',
  transports: ['tcp'],
  maxFrameBytes: MAX_FRAME_BYTES,
  resync: 'marker',
  integrity: 'checksum',
  correlation: 'none',
  options: { lenientChecksum: { type: 'boolean', title: 'Take frames whose checksum is wrong', default: false } },
  initialState: () => undefined,
  identify,
  frame,
  verify: (bytes, { options }) => options['lenientChecksum'] === true || verify(bytes),
  decode,
  commands,
  dangerous,
  simulator,
  setup: [
    'Omnicomm Configurator: communication server {host}, port {port}',
    'The device is registered by its registrar id in decimal',
  ],
  notCovered: [
    'CAN, OBD, universal inputs, photos and logs (groups 4, 6, 7, 9 to 11 and 16): passed over',
    'Fuel levels of the sensors 2 to 8',
  ],
};

export default omnicomm;
