import { streamProtocol } from '#codec';
import { identifyBytes } from '#codec/framing';
import { decodeGrammar, grammar } from '#codec/text';
import * as commanding from './commands.ts';
import { frame, MAX_FRAME_BYTES } from './frame.ts';
import { simulator } from './simulator.ts';
import { REPORT, START } from './tables.ts';

export default streamProtocol(
  {
    id: 'arknav',
    title: 'Arknav',
    vendor: 'Arknav International',
    models: ['RX-8', 'RX-9', 'PT33', 'Rover 9 Pro'],
    port: 5107,
    transports: ['tcp', 'udp'],
    correlation: 'none',
    // messages begin with the id of the device: digits before it would belong to it
    resync: 'none',
    setup: ['By the configuration tool of the model: server {host}, port {port}'],
    notCovered: [
      'The vendor’s document was not available: the format is that of recorded messages',
      'The status but the low battery of a PT33, and what follows the date in the reports of the others',
      'Answers to commands',
    ],
  },
  {
    framing: {
      frame,
      MAX_FRAME_BYTES,
      identify: identifyBytes(START),
    },
    decoding: { decode: decodeGrammar(grammar(REPORT)) },
    commanding,
    simulator,
  },
);
