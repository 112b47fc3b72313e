import type { StreamProtocol } from '#codec';
import { commands, dangerous } from './commands.ts';
import { acknowledgeUndecoded, decode } from './decode.ts';
import { frame, identify, MAX_FRAME_BYTES, verify } from './frame.ts';
import { simulator } from './simulator.ts';
import { initialState, type State } from './state.ts';

const teltonika: StreamProtocol<State> = {
  id: 'teltonika',
  title: 'Teltonika AVL codecs 7, 8, 8 Extended, 16 and command codecs 12 to 15',
  vendor: 'Teltonika',
  models: ['FMB', 'FMC', 'FMM', 'FMU', 'FMT', 'FMP', 'FMK', 'FM36', 'FM63', 'FM64', 'MTB', 'MSP', 'TAT', 'TMT', 'GH'],
  service: 'teltonika',
  port: 5027,
  carrier: 'bytes',
  transports: ['tcp', 'udp'],
  maxFrameBytes: MAX_FRAME_BYTES,
  resync: 'none',
  integrity: 'checksum',
  correlation: 'in-order',
  options: {
    model: { type: 'string', title: 'Model, e.g. FMB130: element numbers differ between families' },
    extended: { type: 'boolean', title: 'Records carry a group of 16-byte values', default: false },
    checkImei: { type: 'boolean', title: 'Send commands as codec 14: the device compares the IMEI', default: false },
    lenientChecksum: { type: 'boolean', title: 'Take packets whose CRC is wrong', default: false },
  },
  initialState,
  identify,
  frame,
  verify,
  decode,
  acknowledgeUndecoded,
  commands,
  dangerous,
  simulator,
  setup: [
    'setparam 2004:{host};2005:{port};2006:0',
    'Configurator: GPRS → server settings: domain {host}, port {port}, protocol TCP (or UDP); data protocol codec 8 or 8 Extended.',
  ],
  notCovered: ['firmware and configuration over the air (FOTA WEB)', 'the DualCam and ADAS file server protocol'],
};

export default teltonika;
