import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'gl200binary',
    title: 'Queclink @Track, binary',
    vendor: 'Queclink',
    models: ['GB100', 'GL200', 'GL300', 'GV55', 'GV75', 'GV200', 'GV300', 'GV350', 'GV500MA', 'GV600'],
    service: 'gl200',
    port: 5004,
    transports: ['tcp', 'udp'],
    setup: ['AT+GTSRI=<password>,3,,1,{host},{port},,,,5,0,,,,,FFFF$', 'AT+GTQSS with report format HEX'],
    options: {
      ack: { type: 'boolean', title: 'Acknowledge every message (devices with SACK enabled)', default: false },
    },
    notCovered: [
      'Crash data (+CRD, +BRD) and logs (+LGN): kept raw',
      'Items of records other than the place (51, 52)',
      'Data of the vehicle bus, tags, and sensors of GTERI (18) of models other than GV600',
      'The checksum, which devices in the field do not keep, is not looked at',
    ],
  },
  { framing, decoding, commanding, simulator },
);
