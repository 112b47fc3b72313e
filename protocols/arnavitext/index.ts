import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'arnavitext',
    title: 'Arnavi, text',
    vendor: 'Arusnavi, Satellite Solutions',
    models: ['Integral', 'Integral-2', 'Arnavi 3', 'Sat-Lite 2'],
    service: 'arnavi',
    port: 5100,
    correlation: 'none',
    setup: ['SMS: 123456*SERV*1*{host}*{port}*'],
    expectsReply: [{ title: 'sentence', frame: /^(?:244156|\$AV,)/, reply: /^(?:524350|RCPTOK)/ }],
    notCovered: ['Sentences of sensors, cells and outputs (V3GSMINFO, V6SD and others): passed over'],
  },
  { framing, decoding, commanding, simulator },
);
