import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'dmt',
    title: 'Digital Matter',
    vendor: 'Digital Matter',
    models: ['G52', 'G60', 'G62', 'G100', 'G120', 'Dart', 'Dart2', 'Oyster', 'Yabby', 'Bolt', 'Eagle', 'FlexiTrack'],
    port: 5137,
    correlation: 'none',
    initialState: () => ({}),
    setup: [
      'DM-Link or OEM server, system parameters, Server: {host}, port {port}, TCP direct (no encryption)',
      'The OEM server that commissions the device keeps its own address; only the data server is changed',
    ],
    notCovered: [
      'Debug texts (1), kinds of trips (15), accelerometer and further fields, which are passed over',
      'Names of analogue values by model: number 5 is `solarPower`, which battery models use for the voltage under load',
      'Asynchronous messages, which set parameters and outputs, beside those that are sent as a whole',
      'The HTTP variant, which is a protocol of its own',
    ],
  },
  { framing, decoding, commanding, simulator },
);
