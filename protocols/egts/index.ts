import type { StreamProtocol } from '#codec';
import { commands, dangerous } from './commands.ts';
import { acknowledgeUndecoded, decode, type State } from './decode.ts';
import { frame, identify, MAX_FRAME_BYTES, verify } from './frame.ts';
import { simulator } from './simulator.ts';

const egts: StreamProtocol<State> = {
  id: 'egts',
  title: 'EGTS (ERA-GLONASS)',
  vendor: 'GOST R 54619, GOST 33472',
  models: ['any terminal or relay of the standard'],
  service: 'egts',
  port: 5162,
  carrier: 'bytes',
  transports: ['tcp'],
  maxFrameBytes: MAX_FRAME_BYTES,
  resync: 'marker',
  integrity: 'checksum',
  correlation: 'in-order',
  options: {
    lenientChecksum: { type: 'boolean', title: 'Take packets whose data checksum is wrong', default: false },
  },
  initialState: (deviceId) => ({ isIdentified: deviceId !== undefined, nextPacket: 0 }),
  identify,
  frame,
  verify,
  decode,
  acknowledgeUndecoded,
  commands,
  dangerous,
  simulator,
  setup: [
    'Server {host}, port {port}, TCP, protocol EGTS; authentication by TERM_IDENTITY with the IMEI',
    'A relay sends the device’s number as object identifier (OID) of each record, and no TERM_IDENTITY',
  ],
  notCovered: [
    'Encrypted and compressed packets, which are kept raw; firmware and configuration service (9), emergency calls (10)',
    'State (20), accelerations (22), loops (23), counters (19, 25, 26), passengers (28)',
  ],
};

export default egts;
