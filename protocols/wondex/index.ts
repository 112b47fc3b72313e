import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

const { DEFAULT_PASSWORD, ...commands } = commanding;

export default streamProtocol(
  {
    id: 'wondex',
    title: 'WondeX',
    vendor: 'Wonde Proud Technology',
    models: ['VT-10', 'VT-200', 'VT-300', 'TK5000'],
    port: 5032,
    transports: ['tcp', 'udp'],
    // lines begin with the id of the device: digits before it would belong to it
    resync: 'none',
    options: { password: { type: 'string', title: 'Password of the device', default: DEFAULT_PASSWORD } },
    expectsReply: [{ title: 'keep-alive', frame: /^d0/, reply: /^d0/ }],
    setup: ['$WP+COMMTYPE of the model: server {host}, port {port}'],
    notCovered: ['Names of the events and of the bits of inputs and outputs', 'Reports in formats set by the user'],
  },
  { framing, decoding, commanding: commands, simulator },
);
