import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'tek',
    title: 'Tekelek tank sensors',
    vendor: 'Tekelek',
    models: ['TEK586', 'TEK643', 'TEK766', 'TEK822'],
    port: 5173,
    correlation: 'none',
    resync: 'none',
    options: { lenientChecksum: { type: 'boolean', title: 'Take messages whose checksum is wrong', default: false } },
    setup: ['SMS or downlink: server {host}, port {port}, TCP'],
    notCovered: [
      'The vendor’s document was not available: the format is that of recorded messages and of another server',
      'Earlier levels of the logger: they have no times; the newest one is reported',
      'Messages other than levels (4, 8) and positions (17)',
      'The battery byte: passed over, since its scale is not known',
    ],
  },
  { framing, decoding, commanding, simulator },
);
