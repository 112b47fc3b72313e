import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { named } from './names/index.ts';
import { initialState } from './packet.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'teltonika',
    title: 'Teltonika AVL codecs 7, 8, 8 Extended, 16 and command codecs 12 to 15',
    vendor: 'Teltonika',
    models: ['FMB', 'FMC', 'FMM', 'FMU', 'FMT', 'FMP', 'FMK', 'FM36', 'FM63', 'FM64', 'MTB', 'MSP', 'TAT', 'TMT', 'GH'],
    port: 5027,
    transports: ['tcp', 'udp'],
    resync: 'none',
    charset: 'utf-8',
    options: {
      model: { type: 'string', title: 'Model, e.g. FMB130: element numbers differ between families' },
      extended: { type: 'boolean', title: 'Records carry a group of 16-byte values', default: false },
      checkImei: { type: 'boolean', title: 'Send commands as codec 14: the device compares the IMEI', default: false },
      lenientChecksum: { type: 'boolean', title: 'Take packets whose CRC is wrong', default: false },
    },
    initialState,
    setup: [
      'setparam 2004:{host};2005:{port};2006:0',
      'Configurator: GPRS → server settings: domain {host}, port {port}, protocol TCP (or UDP); data protocol codec 8 or 8 Extended.',
    ],
    named,
    notCovered: ['firmware and configuration over the air (FOTA WEB)', 'the DualCam and ADAS file server protocol'],
  },
  { framing, decoding, commanding, simulator },
);
