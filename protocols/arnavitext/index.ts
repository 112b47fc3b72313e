import type { StreamProtocol } from '#codec';
import { commands, dangerous } from './commands.ts';
import { decode } from './decode.ts';
import { frame, identify, MAX_FRAME_BYTES } from './frame.ts';
import { simulator } from './simulator.ts';

const arnavitext: StreamProtocol<undefined> = {
  id: 'arnavitext',
  title: 'Arnavi, text',
  vendor: 'Arusnavi',
  models: ['Integral', 'Integral-2', 'Arnavi 3'],
  service: 'arnavi',
  port: 5100,
  carrier: 'bytes',
  transports: ['tcp'],
  maxFrameBytes: MAX_FRAME_BYTES,
  resync: 'marker',
  integrity: 'none',
  correlation: 'none',
  options: {},
  initialState: () => undefined,
  identify,
  frame,
  decode,
  commands,
  dangerous,
  simulator,
  setup: ['SMS: 123456*SERV*1*{host}*{port}*'],
  notCovered: ['Sentences of sensors, cells and outputs (V3DI, V3GSMINFO, V6SD and others): passed over'],
};

export default arnavitext;
