import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { DEFAULT_PASSWORD } from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'laipac',
    title: 'Laipac',
    vendor: 'Laipac Technology',
    models: ['StarFinder AIRE', 'StarFinder Lite', 'S-911 Bracelet Locator', 'AVL-110', 'AVL-120'],
    port: 5048,
    correlation: 'none',
    options: { password: { type: 'string', title: 'Password of the device', default: DEFAULT_PASSWORD } },
    expectsReply: [
      { title: 'echo', frame: /^\$ECHK,/, reply: /^\$ECHK,/ },
      { title: 'report that wants to be acknowledged', frame: /^\$AVRMC,\w+,\d+,[avrp],/, reply: /^\$EAVACK,/ },
    ],
    setup: ['By the configuration tool of the model: server {host}, port {port}, TCP'],
    notCovered: ['Answers to commands', 'The third input of StarFinder Lite while it is off'],
  },
  { framing, decoding, commanding, simulator },
);
