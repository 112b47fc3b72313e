import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'tk102',
    title: 'TK102 in brackets',
    vendor: 'TK102 and its kin',
    models: ['TK102-W998', 'TK102-2'],
    port: 5036,
    correlation: 'none',
    expectsReply: [
      { title: 'login', frame: /^5b80/, reply: /^5b00/ },
      { title: 'heartbeat', frame: /^5bf0/, reply: /^5bff/ },
    ],
    setup: ['SMS adminip123456 {host} {port}', 'SMS apn123456 <name>'],
    notCovered: ['Messages without a position: settings, states', 'What follows the date of a position'],
  },
  { framing, decoding, commanding, simulator },
);
