import type { StreamProtocol } from '#codec';
import { commands, dangerous } from './commands.ts';
import { acknowledgeUndecoded, decode } from './decode.ts';
import { MODELS } from './elements.ts';
import { frame, identify, MAX_FRAME_BYTES } from './frame.ts';
import { simulator } from './simulator.ts';

const gl200text: StreamProtocol<undefined> = {
  carrier: 'bytes',
  id: 'gl200text',
  title: 'Queclink @Track, text',
  vendor: 'Queclink',
  models: [...new Set(MODELS.values())].sort(),
  service: 'gl200',
  port: 5004,
  transports: ['tcp', 'udp'],
  maxFrameBytes: MAX_FRAME_BYTES,
  resync: 'marker',
  integrity: 'none',
  correlation: 'ticket',
  options: {
    model: { type: 'string', title: 'Model, where the protocol version does not tell it (GV300, GL320M …)' },
    password: {
      type: 'string',
      title: 'Password of the device; from the factory the model in lower case',
      default: '',
    },
    ack: { type: 'boolean', title: 'Acknowledge every message (devices with SACK enabled)', default: false },
    ignoreFixTime: { type: 'boolean', title: 'Take the time of sending for the time of the fix', default: false },
  },
  initialState: () => undefined,
  identify,
  frame,
  decode,
  acknowledgeUndecoded,
  commands,
  dangerous,
  simulator,
  setup: ['AT+GTSRI=<password>,3,,1,{host},{port},,,,5,0,,,,,FFFF$'],
  reportedAs: { fuelConsumption: 'string' },
  notCovered: ['ERI: the CAN part (mask bit 2), kept as text', 'CAN: cells behind the location, kept as text'],
};

export default gl200text;
