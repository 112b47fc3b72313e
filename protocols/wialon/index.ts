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
    initialState: () => ({}),
    setup: [
      'Server {host}, port {port}, protocol Wialon IPS; the id is the IMEI, the password that of the device option loginPassword',
    ],
    notCovered: [
      'Firmware, configuration and video (US, UC, QLV, QPB and the like)',
      'Checksums of version 2, which devices write in several ways, are not verified',
    ],
  },
  { framing, decoding, commanding, simulator },
);
