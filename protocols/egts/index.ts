import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'egts',
    title: 'EGTS (ERA-GLONASS)',
    vendor: 'GOST R 54619, GOST 33472',
    models: ['any terminal or relay of the standard'],
    port: 5162,
    options: {
      lenientChecksum: { type: 'boolean', title: 'Take packets whose data checksum is wrong', default: false },
    },
    initialState: (deviceId) => ({ isIdentified: deviceId !== undefined, nextPacket: 0 }),
    setup: [
      'Server {host}, port {port}, TCP, protocol EGTS; authentication by TERM_IDENTITY with the IMEI',
      'A relay sends the device’s number as object identifier (OID) of each record, and no TERM_IDENTITY',
    ],
    notCovered: [
      'Encrypted and compressed packets, which are kept raw; firmware and configuration service (9), emergency calls (10)',
      'Accelerations (20 where it is longer than a state), which only the emergency service sends',
    ],
  },
  { framing, decoding, commanding, simulator },
);
