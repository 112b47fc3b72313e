import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'bce',
    title: 'BCE',
    vendor: 'BCE',
    models: ['FM500 StCAN', 'FMS500 StCAN', 'FMS500 Light'],
    port: 5080,
    // frames have no mark
    resync: 'none',
    expectsReply: [{ title: 'stored records', frame: /^.{20}a5/, reply: /^.{16}020019/ }],
    setup: ['Configurator: server {host}, port {port}, TCP'],
    notCovered: [
      'The vendor’s document was not available: the format is that of recorded messages',
      'Structures other than data (type 7), and fields of the masks whose meaning is not known: passed over',
      'Commands of the vendor other than outputs and whole messages',
    ],
  },
  { framing, decoding, commanding, simulator },
);
