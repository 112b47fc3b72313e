import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'wialon',
    title: 'Wialon IPS 1.1 and 2.x',
    vendor: 'Gurtam',
    models: ['devices and applications of many vendors'],
    port: 5039,
    transports: ['tcp', 'udp'],
    deviceNamedKeys: true,
    setup: [
      'Server {host}, port {port}, protocol Wialon IPS; the id is the IMEI, the password that of the device option loginPassword',
    ],
    notCovered: [
      'Photos, tachograph files and configuration over the same connection (I, T, IT, QI, QT, US, UC)',
      'Compressed packets (FF)',
      'Checksums of version 2, which devices write in several ways, are not verified',
    ],
  },
  { framing, decoding, commanding, simulator },
);
