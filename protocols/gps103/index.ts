import type { StreamProtocol } from '#codec';
import { commands, dangerous } from './commands.ts';
import { decode } from './decode.ts';
import { frame, type Gps103State, identify, MAX_FRAME_BYTES } from './frame.ts';
import { simulator } from './simulator.ts';

const gps103: StreamProtocol<Gps103State> = {
  carrier: 'bytes',
  id: 'gps103',
  title: 'Coban GPS103 and its kin',
  vendor: 'Coban',
  models: ['GPS103A', 'GPS103B', 'TK102B', 'TK103B', 'GPS104', 'TK106', 'GPS303', 'GPS305', 'GPS306 (OBD)', 'GPS311'],
  service: 'gps103',
  port: 5001,
  transports: ['tcp', 'udp'],
  maxFrameBytes: MAX_FRAME_BYTES,
  resync: 'marker',
  integrity: 'none',
  correlation: 'in-order',
  options: {
    mcc: { type: 'number', title: 'Mobile country code of cells, which are sent without one', default: 0 },
    mnc: { type: 'number', title: 'Mobile network code of cells, which are sent without one', default: 0 },
  },
  initialState: () => ({}),
  identify,
  frame,
  decode,
  commands,
  dangerous,
  simulator,
  setup: ['SMS adminip<password> {host} {port}', 'SMS gprs<password>', 'SMS apn<password> <name>'],
  reportedAs: { engineLoad: 'string', throttle: 'string' },
  notCovered: [
    'Photo parts that no `vt` sentence announced on the connection',
    'OBD sentences without a battery voltage',
  ],
};

export default gps103;
