import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'castel',
    title: 'Castel (Sinocastel)',
    vendor: 'Sinocastel',
    models: ['IDD-212', 'IDD-213', 'IDD-218', 'IDD-234', 'PT-690', 'MPIP-620'],
    port: 5086,
    transports: ['tcp', 'udp'],
    options: { lenientChecksum: { type: 'boolean', title: 'Take messages whose checksum is wrong', default: false } },
    setup: ['SMS: 8001#{host}#{port}', 'Or with the vendor’s PC tool: GPRS server {host}, port {port}, TCP or UDP'],
    notCovered: [
      'Supported values, settings and firmware (4004 and others): acknowledged where the document asks for it',
      'OBD values of units that are not in the document: the snapshot is kept raw',
      'The eight reserved bytes behind the state: the second is no voltage, as it is 100 with 12.0 V and with 14.0 V at the control unit',
    ],
  },
  { framing, decoding, commanding, simulator },
);
