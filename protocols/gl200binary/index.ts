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
    models: ['GB100', 'GL200', 'GL300', 'GV55', 'GV200', 'GV300', 'GV500MA'],
    service: 'gl200',
    port: 5004,
    transports: ['tcp', 'udp'],
    setup: ['AT+GTSRI=<password>,3,,1,{host},{port},,,,5,0,,,,,FFFF$', 'AT+GTQSS with report format HEX'],
    notCovered: [
      'Crash data (+CRD, +BRD) and logs (+LGN): kept raw',
      'Items of records other than the place (51, 52)',
      'The checksum, which devices in the field do not keep, is not looked at',
    ],
  },
  { framing, decoding, commanding, simulator },
);
