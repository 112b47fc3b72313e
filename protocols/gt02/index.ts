import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'gt02',
    title: 'Concox GT02 and TR02',
    vendor: 'Concox (Jimi IoT)',
    models: ['GT02', 'GT02A', 'TR02'],
    port: 5022,
    setup: ['SMS: SERVER,0,{host},{port},0#'],
    notCovered: [
      'Of the vendor’s document only the table of a position was available: the rest is that of recorded messages',
      'Signal levels of the satellites of a heartbeat: their number alone is reported',
      'Commands of the vendor other than whole messages',
    ],
  },
  { framing, decoding, commanding, simulator },
);
