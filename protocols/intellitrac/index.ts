import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'intellitrac',
    title: 'IntelliTrac',
    vendor: 'Systems & Technology',
    models: ['IntelliTrac X1', 'IntelliTrac X1 Plus', 'IntelliTrac X8', 'IntelliTrac A1'],
    port: 5037,
    // lines begin with the id of the device: digits before it would belong to it
    resync: 'none',
    expectsReply: [{ title: 'synchronization', frame: /^faf8/, reply: /^faf8/ }],
    setup: ['By the ST commands of the model: server {host}, port {port}, TCP'],
    notCovered: [
      'Fields behind the values of the vehicle',
      'Reports in other formats than that of the factory, and binary ones',
    ],
  },
  { framing, decoding, commanding, simulator },
);
