import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'meitrack',
    title: 'Meitrack',
    vendor: 'Meitrack',
    models: [
      'MVT100',
      'MVT340',
      'MVT380',
      'MVT600',
      'MVT800',
      'T1',
      'T3',
      'T366',
      'T622',
      'T633',
      'MT90',
      'P88',
      'TC68',
      'MD500',
      'MD300',
      'K211',
    ],
    port: 5020,
    transports: ['tcp', 'udp'],
    options: {
      model: { type: 'string', title: 'Model, by which voltages of text reports are scaled (MVT340, MT90, T1 …)' },
      alternative: { type: 'boolean', title: 'Arm and disarm by B21', default: false },
      lenientChecksum: { type: 'boolean', title: 'Take messages whose checksum is wrong', default: false },
    },
    initialState: () => ({}),
    setup: ['SMS 0000,A21,1,{host},{port},<apn>,<user>,<password>', 'SMS 0000,A12,6 (interval in tens of seconds)'],
    notCovered: ['CCE: lists of the TPMS and of the camera; their parameters are read over'],
  },
  { framing, decoding, commanding, simulator },
);
