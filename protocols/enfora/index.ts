import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'enfora',
    title: 'Enfora',
    vendor: 'Enfora (Novatel Wireless)',
    models: ['GSM2000', 'GSM2218', 'Mini-MT', 'Spider MT-Gu', 'MT-4000'],
    port: 5008,
    transports: ['tcp', 'udp'],
    setup: ['AT$FRIEND=1,1,"{host}",{port},1'],
    notCovered: [
      'Binary reports, of which the id of the device is read only',
      'The event and the lines of inputs, whose place depends on the mask of an event',
    ],
  },
  { framing, decoding, commanding, simulator },
);
