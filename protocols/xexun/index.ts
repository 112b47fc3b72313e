import { streamProtocol } from '#codec';
import { decodeGrammar } from '#codec/text';
import * as commanding from './commands.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';
import { DEFAULT_PASSWORD, REPORT } from './tables.ts';

export default streamProtocol(
  {
    id: 'xexun',
    title: 'Xexun',
    vendor: 'Xexun',
    models: ['TK102', 'TK102-2', 'TK103', 'TK103-2', 'XT-107'],
    port: 5006,
    transports: ['tcp', 'udp'],
    correlation: 'none',
    options: { password: { type: 'string', title: 'Password of the device', default: DEFAULT_PASSWORD } },
    setup: ['SMS apn123456 <name>', 'SMS adminip123456 {host} {port}'],
    notCovered: [
      'The checksum behind the length, CRC-16/XMODEM of the text up to the comma behind the length, is not compared',
      'Distance behind the cell',
      'Answers to commands',
    ],
  },
  { framing, decoding: { decode: decodeGrammar(REPORT) }, commanding, simulator },
);
