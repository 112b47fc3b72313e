import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'fifotrack',
    title: 'Fifotrack',
    vendor: 'Fifotrack',
    models: ['A03', 'A100', 'A300', 'A500', 'Q1', 'Q3', 'S20', 'S30', 'S60'],
    port: 5124,
    initialState: () => ({}),
    setup: ['SMS 000000,B00,1,{host},{port}', 'SMS 000000,B03,<interval in seconds>'],
    notCovered: ['The checksum of received messages is not compared'],
  },
  { framing, decoding, commanding, simulator },
);
