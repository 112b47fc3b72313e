import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import { initialState } from './decode.ts';
import * as framing from './frame.ts';
import { DEFAULT_ZONE, PART_LIMITS } from './header.ts';
import { ATTACHMENT_PORT } from './messages/records.ts';
import { MODELS } from './models.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'jt808',
    title: 'JT/T 808 (2011, 2013, 2019) and its dialects',
    vendor: 'Ministry of Transport of China; Huabao, BSJ, Jointech, Jimi, AOVX, Topin and others',
    models: Object.keys(MODELS),
    port: 5015,
    transports: ['tcp', 'udp'],
    correlation: 'ticket',
    options: {
      model: { type: 'string', title: 'Model, where it reads items or takes commands in its own way' },
      timezone: { type: 'string', title: 'Time zone of the device’s clock', default: DEFAULT_ZONE },
      lenientChecksum: { type: 'boolean', title: 'Take frames with a wrong checksum or length', default: false },
      authenticationKey: {
        type: 'string',
        title: 'Key of authentication codes; the code is the id where none is given',
      },
      maxMessageBytes: { type: 'number', title: 'Largest message in parts, in bytes', default: PART_LIMITS.bytes },
      alternative: { type: 'boolean', title: 'Engine commands as A006', default: false },
      attachmentHost: { type: 'string', title: 'Address of the server that takes pictures of assistance alarms' },
      attachmentPort: { type: 'number', title: 'TCP port of that server', default: ATTACHMENT_PORT },
      attachmentMessage: {
        type: 'string',
        title: 'How it is named to the device: 9208 of T/JSATL 12, or 8900 of Jimi',
        default: '8900',
      },
      streamHost: { type: 'string', title: 'Address of the JT/T 1078 server' },
      streamPort: { type: 'number', title: 'TCP port of the JT/T 1078 server', default: 1078 },
    },
    initialState,
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
  },
  { framing, decoding, commanding, simulator },
);
