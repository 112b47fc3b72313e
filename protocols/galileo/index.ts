import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'galileo',
    title: 'Galileosky',
    vendor: 'Galileosky',
    models: ['GLONASS v5', '7.x', 'Base Block', '7x', '10'],
    port: 5034,
    resync: 'none',
    correlation: 'ticket',
    options: {
      compressed: { type: 'boolean', title: 'Satellite messages hold the compressed form', default: false },
      lenientChecksum: { type: 'boolean', title: 'Take packets whose checksum is wrong', default: false },
    },
    initialState: (deviceId) => ({ deviceId }),
    setup: [
      'SMS: serverip {host},{port} (commands need an authorised telephone: AddPhone 1000)',
      'Or in the configurator: Data transmission, main server {host}:{port}, protocol Galileosky; main packet with tags 03, 20 and 30',
      'APN: APN <name>,<user>,<password>',
    ],
    notCovered: [
      'Refrigerators, tyres and keys (5B, 5C, D5, FA, FD), and J1939 values of extended tags (10020 to 32769): passed over',
      'Archives of other headers: kept raw and confirmed',
    ],
  },
  { framing, decoding, commanding, simulator },
);
