import type { StreamProtocol } from '#codec';
import { commands, dangerous } from './commands.ts';
import { decode } from './decode.ts';
import { frame, identify, MAX_FRAME_BYTES } from './frame.ts';
import { simulator } from './simulator.ts';

const adm: StreamProtocol<undefined> = {
  id: 'adm',
  title: 'Neomatica ADM',
  vendor: 'Neomatica',
  models: ['ADM50', 'ADM100', 'ADM300', 'ADM333', 'ADM600', 'ADM700'],
  service: 'adm',
  port: 5092,
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
  setup: ['SMS: SETHOST0 {host} {port}', 'Or in ADM Configurator: Servers, first server {host}:{port}, protocol ADM'],
  notCovered: ['ADM5 and photo messages (types 01 and 0A): passed over'],
};

export default adm;
