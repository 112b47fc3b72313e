import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'm2m',
    title: 'M2M tracker (23-byte packets)',
    vendor: 'M2M',
    models: ['M2M tracker'],
    port: 5054,
    correlation: 'none',
    resync: 'none',
    initialState: (deviceId?: string) => ({ isLoggedIn: deviceId !== undefined }),
    setup: ['Server {host}, port {port}, TCP'],
    notCovered: [
      'The vendor’s document was not available: the format is that of recorded messages',
      'Cells, and the last six bytes of a packet',
      'Commands of the vendor other than whole messages',
    ],
  },
  { framing, decoding, commanding, simulator },
);
