import type { StreamProtocol } from '#codec';
import { commands, dangerous } from './commands.ts';
import { decode } from './decode.ts';
import { type FifotrackState, frame, identify, MAX_FRAME_BYTES } from './frame.ts';
import { simulator } from './simulator.ts';

const fifotrack: StreamProtocol<FifotrackState> = {
  carrier: 'bytes',
  id: 'fifotrack',
  title: 'Fifotrack',
  vendor: 'Fifotrack',
  models: ['A03', 'A100', 'A300', 'A500', 'Q1', 'Q3', 'S20', 'S30', 'S60'],
  service: 'fifotrack',
  port: 5124,
  transports: ['tcp'],
  maxFrameBytes: MAX_FRAME_BYTES,
  resync: 'marker',
  // Their messages carry a checksum, and no device is known whose sum agrees with the documented one.
  integrity: 'none',
  correlation: 'in-order',
  options: {},
  initialState: () => ({}),
  identify,
  frame,
  decode,
  commands,
  dangerous,
  simulator,
  setup: ['SMS 000000,B01,1,0,{host},{port}', 'SMS 000000,B05,<interval in seconds>,0,0,0'],
  notCovered: ['The checksum of received messages, which no device is known to keep'],
};

export default fifotrack;
