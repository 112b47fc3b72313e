import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'gps103',
    title: 'Coban GPS103 and its kin',
    vendor: 'Coban',
    models: ['GPS103A', 'GPS103B', 'TK102B', 'TK103B', 'GPS104', 'TK106', 'GPS303', 'GPS305', 'GPS306 (OBD)', 'GPS311'],
    port: 5001,
    transports: ['tcp', 'udp'],
    options: {
      mcc: { type: 'number', title: 'Mobile country code of cells, which are sent without one', default: 0 },
      mnc: { type: 'number', title: 'Mobile network code of cells, which are sent without one', default: 0 },
    },
    initialState: () => ({}),
    expectsReply: [
      { title: 'login', frame: /^##,imei:\d+,A/, reply: /^LOAD$/ },
      { title: 'heartbeat', frame: /^\d{15};?$/, reply: /^ON$/ },
    ],
    setup: ['SMS adminip<password> {host} {port}', 'SMS gprs<password>', 'SMS apn<password> <name>'],
    notCovered: [
      'Photo parts that no `vt` sentence announced on the connection',
      'OBD sentences without a battery voltage',
    ],
  },
  { framing, decoding, commanding, simulator },
);
