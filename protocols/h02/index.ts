import type { StreamProtocol } from '#codec';
import { commands, dangerous } from './commands.ts';
import { decode } from './decode.ts';
import { frame, type H02State, identify, MAX_FRAME_BYTES } from './frame.ts';
import { simulator } from './simulator.ts';

const h02: StreamProtocol<H02State> = {
  carrier: 'bytes',
  id: 'h02',
  title: 'H02 (Sinotrack and its kin)',
  vendor: 'Sinotrack',
  models: ['ST-901', 'ST-902', 'ST-905', 'ST-906', 'ST-907', 'Cantrack', 'TKStar', 'ReachFar', 'LKGPS', 'iTrac'],
  service: 'h02',
  port: 5013,
  transports: ['tcp', 'udp'],
  maxFrameBytes: MAX_FRAME_BYTES,
  resync: 'marker',
  integrity: 'none',
  correlation: 'in-order',
  options: {
    recordBytes: { type: 'number', title: 'Length of binary records, 32 or 45; learned where it is not set' },
    ack: { type: 'boolean', title: 'Acknowledge every fix sentence and record by R12', default: false },
    alternative: { type: 'boolean', title: 'Report intervals by D1 in place of S71', default: false },
    steppedEngineCut: {
      type: 'boolean',
      title: 'Cut and restore the engine in steps (S20 with times)',
      default: false,
    },
    mcc: { type: 'number', title: 'Mobile country code of cells that are sent without one', default: 0 },
    mnc: { type: 'number', title: 'Mobile network code of cells that are sent without one', default: 0 },
  },
  initialState: () => ({ probing: false }),
  identify,
  frame,
  decode,
  commands,
  dangerous,
  simulator,
  setup: ['SMS 804<password> {host} {port}', 'SMS 710<password> (mode: GPRS)'],
  notCovered: [
    'X records: their meaning is not published; they are passed over',
    'Binary records: bytes behind the status word',
  ],
};

export default h02;
