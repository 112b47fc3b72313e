import { streamProtocol } from '#codec';
import { delimited, startsOf } from '#codec/framing';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import { simulator } from './simulator.ts';

const MAX_FRAME_BYTES = 200;
const letter = [0x41, 0x5a] as const;
const digits = (count: number) => Array.from({ length: count }, () => 'digit' as const);
/** Star, date and time, U, a letter and two digits of the type. */
const starts = startsOf([[0x2a, ...digits(12), 0x55, letter, ...digits(2)]]);

export default streamProtocol(
  {
    id: 'carscop',
    title: 'Carscop',
    vendor: 'Carscop',
    models: ['CCTR-630', 'CCTR-700', 'CCTR-800', 'CC800'],
    port: 5040,
    correlation: 'none',
    expectsReply: [
      {
        title: 'login',
        frame: /^(?:2a(?:3\d){12}55423035|\*\d{12}UB05)/,
        reply: /^(?:2a(?:3\d){12}44583036|\*\d{12}DX06)/,
      },
    ],
    setup: ['By the SMS commands of the model: server {host}, port {port}'],
    notCovered: [
      'The vendor’s document was not available: the format is that of recorded messages',
      'Names of the bits of the status, and alarms other than the alarm button',
      'Answers to commands',
    ],
  },
  {
    framing: {
      frame: delimited({ starts, ends: ['^'], maxBytes: MAX_FRAME_BYTES, content: 'line', inner: 'restarts' }),
      MAX_FRAME_BYTES,
      identify: (bytes) => starts.begins(bytes, 0),
    },
    decoding,
    commanding,
    simulator,
  },
);
