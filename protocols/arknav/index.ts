import { streamProtocol } from '#codec';
import { datagramsOr, delimited, startsOf } from '#codec/framing';
import { decodeGrammar, grammar } from '#codec/text';
import * as commanding from './commands.ts';
import { simulator } from './simulator.ts';
import { REPORT, START } from './tables.ts';

const MAX_FRAME_BYTES = 256;
const starts = startsOf([START]);

export default streamProtocol(
  {
    id: 'arknav',
    title: 'Arknav',
    vendor: 'Arknav International',
    models: ['RX-8', 'RX-9'],
    port: 5107,
    transports: ['tcp', 'udp'],
    correlation: 'none',
    // messages begin with the id of the device: digits before it would belong to it
    resync: 'none',
    setup: ['By the configuration tool of the model: server {host}, port {port}'],
    notCovered: [
      'The vendor’s document was not available: the format is that of recorded messages',
      'The status, and what follows the date',
      'Answers to commands',
    ],
  },
  {
    framing: {
      frame: datagramsOr(
        delimited({
          starts: [['digit']],
          ends: ['\r'],
          maxBytes: MAX_FRAME_BYTES,
          content: 'line',
          within: [0x20, 0x7e],
        }),
      ),
      MAX_FRAME_BYTES,
      identify: (bytes) => starts.begins(bytes, 0),
    },
    decoding: { decode: decodeGrammar(grammar(REPORT)) },
    commanding,
    simulator,
  },
);
