import type { StreamProtocol } from '#codec';
import { commands, dangerous } from './commands.ts';
import { decode } from './decode.ts';
import { frame, identify, MAX_FRAME_BYTES, verify } from './frame.ts';
import { simulator } from './simulator.ts';

const startek: StreamProtocol<undefined> = {
  carrier: 'bytes',
  id: 'startek',
  title: 'Startek',
  vendor: 'Startek',
  models: ['ST-200', 'ST-300', 'ST-500', 'ST-900'],
  service: 'startek',
  port: 5222,
  transports: ['tcp'],
  maxFrameBytes: MAX_FRAME_BYTES,
  resync: 'marker',
  integrity: 'checksum',
  correlation: 'in-order',
  options: {
    lenientChecksum: { type: 'boolean', title: 'Take messages whose checksum is wrong', default: false },
  },
  initialState: () => undefined,
  identify,
  frame,
  verify,
  decode,
  commands,
  dangerous,
  simulator,
  setup: ['SMS 0000,100,1,{host},{port}', 'SMS 0000,102,<interval in seconds>'],
  notCovered: ['The units of the serial port’s hours (710, line T2), which are kept as sent'],
};

export default startek;
