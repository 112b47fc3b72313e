import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'minifinder2',
    title: 'MiniFinder and Eview',
    vendor: 'Eview',
    models: ['MiniFinder Nano', 'MiniFinder Pico', 'MiniFinder Atto', 'MiniFinder Xtreme', 'EV-07B', 'EV-07S'],
    port: 5187,
    options: {
      model: { type: 'string', title: 'Model: Nano takes firmware updates' },
      lenientChecksum: { type: 'boolean', title: 'Take messages whose checksum is wrong', default: false },
    },
    setup: ['SMS: IP1,{host},{port}', 'SMS: S1,<apn>'],
    notCovered: [
      'Answers with places and addresses to services requests: the gateway has none, and answers with zeros',
      'Walks of pets (14 of 8 bytes), lists of iBeacons (33, 34), third-party heart and health sensors (60 to 64), weather (03 13, 14)',
      'Times of steps, pulse and oxygen: of several only the value of the latest; settings of alerts but 50, 51 and 53',
    ],
  },
  { framing, decoding, commanding, simulator },
);
