import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import { DEFAULT_DATE_FORMAT, DEFAULT_FORMAT } from './elements.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'starlink',
    title: 'StarLink Tracker (ERM)',
    vendor: 'ERM Advanced Telematics',
    models: ['StarLink Tracker', 'StarLink eSafe', 'StarLink MAX'],
    port: 5136,
    correlation: 'none',
    options: {
      format: { type: 'string', title: 'Tags of a message, as the device is set up', default: DEFAULT_FORMAT },
      dateFormat: { type: 'string', title: 'Form of its times, in UTC', default: DEFAULT_DATE_FORMAT },
    },
    setup: [
      'StarLink configuration tool: server {host}, port {port}, TCP',
      'Where the message format is not the one from the factory, write it into the device’s option format',
    ],
    notCovered: ['Messages of types other than 06: their id alone', 'Checksums, which are not looked at'],
  },
  { framing, decoding, commanding, simulator },
);
