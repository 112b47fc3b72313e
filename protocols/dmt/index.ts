import type { StreamProtocol } from '#codec';
import { commands, dangerous } from './commands.ts';
import { decode, type State } from './decode.ts';
import { frame, identify, MAX_FRAME_BYTES } from './frame.ts';
import { simulator } from './simulator.ts';

const dmt: StreamProtocol<State> = {
  id: 'dmt',
  title: 'Digital Matter',
  vendor: 'Digital Matter',
  models: ['G52', 'G60', 'G62', 'G100', 'G120', 'Dart', 'Dart2', 'Oyster', 'Yabby', 'Bolt', 'Eagle', 'FlexiTrack'],
  service: 'dmt',
  port: 5137,
  carrier: 'bytes',
  transports: ['tcp'],
  maxFrameBytes: MAX_FRAME_BYTES,
  resync: 'marker',
  integrity: 'none',
  correlation: 'none',
  options: {},
  initialState: () => ({}),
  identify,
  frame,
  decode,
  commands,
  dangerous,
  simulator,
  setup: [
    'DM-Link or OEM server, system parameters, Server: {host}, port {port}, TCP direct (no encryption)',
    'The OEM server that commissions the device keeps its own address; only the data server is changed',
  ],
  notCovered: [
    'Debug texts (1), accelerometer and further fields, which are passed over',
    'The HTTP variant, which is a protocol of its own',
  ],
};

export default dmt;
