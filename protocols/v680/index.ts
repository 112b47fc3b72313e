import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import type { State } from './decode.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol<State>(
  {
    id: 'v680',
    title: 'V680 and TLT-1',
    vendor: 'V680 and its kin',
    models: ['V680', 'TLT-1', 'TLT-2H', 'VT-108', 'TK06A'],
    port: 5016,
    transports: ['tcp', 'udp'],
    correlation: 'none',
    // messages may begin with a digit: digits before one would belong to it
    resync: 'none',
    initialState: () => '',
    setup: ['By the SMS commands of the model: server {host}, port {port}'],
    notCovered: [
      'The vendors’ documents were not available: the format is that of recorded messages',
      'Names of the events other than that of the alarm button',
      'Answers to commands',
    ],
  },
  { framing, decoding, commanding, simulator },
);
