import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'wialoncombine',
    title: 'Wialon Combine',
    vendor: 'Gurtam',
    models: ['UMKa 30x', 'UMKa 310', 'UMKa 315', 'devices of many vendors'],
    service: 'wialon',
    port: 5039,
    transports: ['tcp', 'udp'],
    options: { lenientChecksum: { type: 'boolean', title: 'Take packets whose checksum is wrong', default: false } },
    setup: [
      'Server {host}, port {port}, protocol Wialon Combine; the id is the IMEI, the password that of the device option loginPassword',
    ],
    notCovered: [
      'Tachograph data (11) and parts of types that are not in the document: what stands before them is kept',
    ],
  },
  { framing, decoding, commanding, simulator },
);
