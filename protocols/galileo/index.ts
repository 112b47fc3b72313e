import type { StreamProtocol } from '#codec';
import { commands, dangerous } from './commands.ts';
import { acknowledgeUndecoded, decode, type State } from './decode.ts';
import { frame, identify, MAX_FRAME_BYTES, verify } from './frame.ts';
import { simulator } from './simulator.ts';

const galileo: StreamProtocol<State> = {
  id: 'galileo',
  title: 'Galileosky',
  vendor: 'Galileosky',
  models: ['GLONASS v5', '7.x', 'Base Block', '7x', '10'],
  service: 'galileo',
  port: 5034,
  carrier: 'bytes',
  transports: ['tcp'],
  maxFrameBytes: MAX_FRAME_BYTES,
  resync: 'none',
  integrity: 'checksum',
  correlation: 'ticket',
  options: {
    compressed: { type: 'boolean', title: 'Satellite messages hold the compressed form', default: false },
    lenientChecksum: { type: 'boolean', title: 'Take packets whose checksum is wrong', default: false },
  },
  initialState: (deviceId) => ({ deviceId }),
  identify,
  frame,
  verify,
  decode,
  acknowledgeUndecoded,
  commands,
  dangerous,
  simulator,
  setup: [
    'SMS: serverip {host},{port} (commands need an authorised telephone: AddPhone 1000)',
    'Or in the configurator: Data transmission, main server {host}:{port}, protocol Galileosky; main packet with tags 03, 20 and 30',
    'APN: APN <name>,<user>,<password>',
  ],
  notCovered: [
    'Extended tags (FE), iButtons and refrigerators (5B, 5C, FD): passed over',
    'Archives of other headers: kept raw and confirmed',
  ],
};

export default galileo;
