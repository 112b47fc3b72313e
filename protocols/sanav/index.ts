import { streamProtocol } from '#codec';
import { decodeGrammar } from '#codec/text';
import * as commanding from './commands.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';
import { REPORT } from './tables.ts';

export default streamProtocol(
  {
    id: 'sanav',
    title: 'Sanav',
    vendor: 'San Jose Technology (Sanav)',
    models: ['GC-101', 'GX-101', 'MT-101', 'CT-24', 'CT-58', 'MU-201', 'OT-101'],
    port: 5051,
    transports: ['tcp', 'udp'],
    correlation: 'none',
    setup: ['By the SMS commands of the model: server {host}, port {port}'],
    notCovered: [
      'Cells behind the state, of which models differ in the order, but that of the OT-101',
      'Reports by HTTP',
      'Commands of the vendor: text is given as bytes',
    ],
  },
  { framing, decoding: { decode: decodeGrammar(REPORT) }, commanding, simulator },
);
