import type { StreamProtocol } from '#codec';
import { commands, dangerous } from './commands.ts';
import { acknowledgeUndecoded, decode, type State } from './decode.ts';
import { frame, identify, MAX_FRAME_BYTES, verify } from './frame.ts';
import { simulator } from './simulator.ts';

const ruptela: StreamProtocol<State> = {
  id: 'ruptela',
  title: 'Ruptela',
  vendor: 'Ruptela',
  models: [
    'FM-Tco3',
    'FM-Tco4',
    'FM-Eco3',
    'FM-Eco4',
    'FM-Pro3',
    'FM-Pro4',
    'FM-Plug4',
    'HCV5',
    'LCV5',
    'Trace5',
    'OBD',
  ],
  service: 'ruptela',
  port: 5046,
  carrier: 'bytes',
  transports: ['tcp'],
  maxFrameBytes: MAX_FRAME_BYTES,
  resync: 'none',
  integrity: 'checksum',
  correlation: 'in-order',
  options: {
    lenientChecksum: { type: 'boolean', title: 'Take frames whose checksum is wrong', default: false },
  },
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
    'SMS: <password> setconnection <APN>,<user>,<APN password>,{host},{port},TCP (the password is empty at first: begin with a blank)',
    'Or in the configurator: Connection, server 1: {host}, port {port}, TCP; protocol: extended or standard records',
  ],
  notCovered: [
    'Data of the transparent channel, of weighing, Garmin and tachographs (10 to 12, 18, 30 to 33): kept raw and acknowledged',
  ],
};

export default ruptela;
