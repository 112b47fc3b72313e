import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'gps056',
    title: 'GPS-056',
    vendor: 'GPS-056 (India)',
    models: ['GPS-056'],
    port: 5141,
    correlation: 'none',
    expectsReply: [
      { title: 'login', frame: /^(?:\$\$\d\dLOGN|2424\d{4}4c4f474e)/, reply: /^(?:\*LGSA|2a4c475341)/ },
      { title: 'position', frame: /^(?:\$\$\d\dGPSL|2424\d{4}4750534c)/, reply: /^(?:\*GPSA|2a47505341)/ },
      { title: 'status', frame: /^(?:\$\$\d\dSYNC|2424\d{4}53594e43)/, reply: /^(?:\*SYSA|2a53595341)/ },
    ],
    setup: ['By the configuration of the installer: server {host}, port {port}, TCP'],
    notCovered: [
      'The vendor’s document was not available: the format is that of recorded messages',
      'Names of the bits of inputs and outputs, and the last bytes of a position',
      'Answers to commands',
    ],
  },
  { framing, decoding, commanding, simulator },
);
