import type { StreamProtocol } from '#codec';
import { commands, dangerous } from './commands.ts';
import { acknowledgeUndecoded, decode } from './decode.ts';
import { frame, identify, MAX_FRAME_BYTES, verify } from './frame.ts';
import { ATTACHMENT_PORT } from './messages/records.ts';
import { MODEL_NAMES } from './models.ts';
import { DEFAULT_PART_BYTES } from './parts.ts';
import { simulator } from './simulator.ts';
import { initialState, type State } from './state.ts';
import { DEFAULT_ZONE } from './values.ts';

const protocol: StreamProtocol<State> = {
  id: 'jt808',
  title: 'JT/T 808 (2011, 2013, 2019) and its dialects',
  vendor: 'Ministry of Transport of China; Huabao, BSJ, Jointech, Jimi, AOVX, Topin and others',
  models: MODEL_NAMES,
  service: 'jt808',
  port: 5015,
  transports: ['tcp', 'udp'],
  carrier: 'bytes',
  maxFrameBytes: MAX_FRAME_BYTES,
  resync: 'marker',
  integrity: 'checksum',
  correlation: 'ticket',
  options: {
    model: { type: 'string', title: 'Model, where it reads items or takes commands in its own way' },
    timezone: { type: 'string', title: 'Time zone of the device’s clock', default: DEFAULT_ZONE },
    lenientChecksum: { type: 'boolean', title: 'Take frames with a wrong checksum or length', default: false },
    authenticationKey: { type: 'string', title: 'Key of authentication codes; the code is the id where none is given' },
    maxMessageBytes: { type: 'number', title: 'Largest message in parts, in bytes', default: DEFAULT_PART_BYTES },
    alternative: { type: 'boolean', title: 'Engine commands as A006', default: false },
    attachmentHost: { type: 'string', title: 'Address of the server that takes pictures of assistance alarms' },
    attachmentPort: { type: 'number', title: 'TCP port of that server', default: ATTACHMENT_PORT },
    streamHost: { type: 'string', title: 'Address of the JT/T 1078 server' },
    streamPort: { type: 'number', title: 'TCP port of the JT/T 1078 server', default: 1078 },
  },
  initialState,
  identify,
  frame,
  verify,
  decode,
  acknowledgeUndecoded,
  commands,
  dangerous,
  simulator,
  setup: [
    'Main server (parameter 0013): {host}',
    'TCP port (parameter 0018): {port}',
    'By SMS to many models: IP,{host},{port}#',
  ],
  notCovered: [
    'RSA encryption of bodies',
    'JT/T 1078 video itself: it goes to a server of its own',
    'Messages in parts are acknowledged part by part and kept once they are whole; after an interruption the parts before it are asked for again (8003)',
    'CAN records (0705), waybills (0701 of the standard) and compressed data (0901), which are kept raw',
  ],
};

export default protocol;
