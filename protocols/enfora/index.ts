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
      'Binary events of other masks than those of all fields, with or without speed, course, odometer and clock',
      'Inputs and voltages of texts, whose place depends on the mask of an event',
    ],
  },
  { framing, decoding, commanding, simulator },
);
