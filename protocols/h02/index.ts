import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'h02',
    title: 'H02 (Sinotrack and its kin)',
    vendor: 'Sinotrack',
    models: ['ST-901', 'ST-902', 'ST-905', 'ST-906', 'ST-907', 'Cantrack', 'TKStar', 'ReachFar', 'LKGPS', 'iTrac'],
    port: 5013,
    transports: ['tcp', 'udp'],
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
    expectsReply: [
      { title: 'heartbeat', frame: /^\*HQ,\d+,HTBT/, reply: /^\*HQ,\d+,HTBT#$/ },
      { title: 'neighbouring cells', frame: /^\*HQ,\d+,NBR,\d{6}/, reply: /^\*HQ,\d+,V4,NBR,\d{14}#$/ },
    ],
    setup: ['SMS 804<password> {host} {port}', 'SMS 710<password> (mode: GPRS)'],
    notCovered: [
      'X records: their meaning is not published; they are passed over',
      'Binary records: bytes behind the status word',
    ],
  },
  { framing, decoding, commanding, simulator },
);
