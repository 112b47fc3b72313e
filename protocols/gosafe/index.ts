import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'gosafe',
    title: 'GoSafe',
    vendor: 'GoSafe',
    models: ['G1S', 'G3A', 'G3C', 'G3S', 'G3SC', 'G6S', 'G7S', 'G79', 'G737'],
    port: 5078,
    transports: ['tcp', 'udp'],
    setup: [
      'SMS: *GS16,<password>,NTS(1,{host},{port})#',
      'Or in the GoSafe tool: server {host}, port {port}, TCP or UDP',
    ],
    notCovered: [
      'Binary messages: blocks other than the place; their checksum is not looked at',
      'OBD data and fuel sensors of text messages: kept as text, or passed over',
    ],
  },
  { framing, decoding, commanding, simulator },
);
