import { streamProtocol } from '#codec';
import { delimited, identifyText } from '#codec/framing';
import { decodeGrammar, grammar } from '#codec/text';
import * as commanding from './commands.ts';
import { simulator } from './simulator.ts';
import { REPORT } from './tables.ts';

const MAX_FRAME_BYTES = 256;

export default streamProtocol(
  {
    id: 'haicom',
    title: 'Haicom',
    vendor: 'Haicom Electronics',
    models: ['HI-602', 'HI-602X', 'HI-603X', 'HI-604'],
    port: 5063,
    correlation: 'none',
    reportedAs: { input: 'string', output: 'string' },
    setup: ['SMS by the manual of the model: server {host}, port {port}'],
    notCovered: ['Names of the bits of status, inputs and outputs', 'Answers to commands'],
  },
  {
    framing: {
      // the end of a report is the start of another one if it was cut off
      frame: delimited({ starts: ['$GPRS'], ends: ['*'], maxBytes: MAX_FRAME_BYTES, inner: 'restarts' }),
      MAX_FRAME_BYTES,
      identify: identifyText({ start: '$GPRS', opening: [/^\$GPRS\d{10,20},[^,]{1,20},\d{6},\d{6},/, 64], end: '*' }),
    },
    decoding: { decode: decodeGrammar(grammar(REPORT)) },
    commanding,
    simulator,
  },
);
