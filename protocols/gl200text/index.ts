import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import { MODELS } from './elements.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'gl200text',
    title: 'Queclink @Track, text',
    vendor: 'Queclink',
    models: [...new Set(MODELS.values())].sort(),
    service: 'gl200',
    port: 5004,
    transports: ['tcp', 'udp'],
    correlation: 'ticket',
    options: {
      model: { type: 'string', title: 'Model, where the protocol version does not identify it (GV300, GL320M …)' },
      password: {
        type: 'string',
        title: 'Password of the device; from the factory the model in lower case',
        default: '',
      },
      ack: { type: 'boolean', title: 'Acknowledge every message (devices with SACK enabled)', default: false },
      ignoreFixTime: { type: 'boolean', title: 'Take the time of sending for the time of the fix', default: false },
    },
    setup: ['AT+GTSRI=<password>,3,,1,{host},{port},,,,5,0,,,,,FFFF$'],
    reportedAs: { fuelConsumption: 'string' },
    notCovered: ['ERI: what stands behind the CAN part, kept as text'],
  },
  { framing, decoding, commanding, simulator },
);
