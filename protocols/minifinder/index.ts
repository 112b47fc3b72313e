import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

const { DEFAULT_PASSWORD, ...commands } = commanding;

export default streamProtocol(
  {
    id: 'minifinder',
    title: 'MiniFinder',
    vendor: 'MiniFinder and Eview',
    models: ['MiniFinder Pico', 'MiniFinder Atto', 'EV-06', 'EV-07'],
    port: 5062,
    options: { password: { type: 'string', title: 'Password of the device', default: DEFAULT_PASSWORD } },
    setup: ['SMS 123456IP1,{host},{port}', 'SMS 123456S1,<APN>'],
    notCovered: ['Settings in the answer to a request of the status'],
  },
  { framing, decoding, commanding: commands, simulator },
);
