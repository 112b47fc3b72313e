import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import { decode, type State } from './decode.ts';
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
    initialState: (): State => ({}),
    options: { lenientChecksum: { type: 'boolean', title: 'Take messages whose checksum is wrong', default: false } },
    setup: ['SMS: $IPAD,{host}', 'SMS: $PORT,{port}', 'Protocol K or X, $PROT'],
    notCovered: [
      'Protocol Z; extension data of K (status bit 6)',
      'Blocks of electric scooters, spreaders, boats and CAN frames (20 to 26, 30, 31, 33 to 42 and 44 to 47) are passed over',
      'Block 24, whose size is not known: it ends the message',
      'Trailer numbers, which older firmware sends in block 9',
    ],
  },
  { framing, decoding: { decode }, commanding, simulator },
);
