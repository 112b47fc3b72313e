import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'astra',
    title: 'Astra Telematics',
    vendor: 'Astra Telematics',
    models: ['AT110', 'AT210', 'AT220', 'AT240', 'AT400'],
    port: 5103,
    transports: ['tcp', 'udp'],
    correlation: 'none',
    options: { lenientChecksum: { type: 'boolean', title: 'Take messages whose checksum is wrong', default: false } },
    setup: ['SMS: $IPAD,{host}', 'SMS: $PORT,{port}', 'Protocol K or X, $PROT'],
    notCovered: [
      'The vendor’s document was not available: the format is that of recorded messages',
      'Protocols other than K and X; extension data of K (status bit 6)',
      'Blocks 20 to 28, 30, 31 and 33 to 47 of X, whose size is not known: they end the message',
      'Geofences, states, source of the driver’s number and further parts of blocks: passed over',
    ],
  },
  { framing, decoding, commanding, simulator },
);
