import type { StreamProtocol } from '#codec';
import { commands, dangerous } from './commands.ts';
import { decode } from './decode.ts';
import { frame, identify, MAX_FRAME_BYTES } from './frame.ts';
import { simulator } from './simulator.ts';

const arnavibinary: StreamProtocol<undefined> = {
  id: 'arnavibinary',
  title: 'Arnavi, binary',
  vendor: 'Arusnavi',
  models: ['Integral-2', 'Integral-3', 'Arnavi 4', 'Arnavi 5'],
  service: 'arnavi',
  port: 5100,
  carrier: 'bytes',
  transports: ['tcp'],
  maxFrameBytes: MAX_FRAME_BYTES,
  resync: 'none',
  integrity: 'none',
  correlation: 'in-order',
  options: {},
  initialState: () => undefined,
  identify,
  frame,
  decode,
  commands,
  dangerous,
  simulator,
  setup: [
    'SMS: 123456*SERV*1*{host}*{port}*',
    'Or in ARNAVI Configurator: server 1 {host}:{port}, protocol InternalV2',
  ],
  notCovered: [
    'Texts, files and binary records (types 03, 04 and 06): passed over',
    'The checksums of records, which devices in the field do not keep, are not looked at',
  ],
};

export default arnavibinary;
