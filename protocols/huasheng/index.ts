import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'huasheng',
    title: 'Huasheng',
    vendor: 'Huasheng',
    models: ['OBD_3G', '3G_H8', 'HS3000G'],
    port: 5111,
    correlation: 'none',
    setup: ['SMS: server {host} port {port}'],
    notCovered: [
      'The vendor’s document was not available: the format is that of recorded messages',
      'Checksums: devices and the server send 0',
      'Versions of software and hardware and the numbers of a login, other than the IMEI: passed over',
    ],
  },
  { framing, decoding, commanding, simulator },
);
