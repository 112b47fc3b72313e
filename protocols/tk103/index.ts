import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'tk103',
    title: 'TK103 (bracket protocol)',
    vendor: 'several',
    models: ['TK103', 'Xexun TK103', 'VjoyCar', 'Smartrack', 'MegaStek MT60', 'ZC and DW asset trackers'],
    port: 5002,
    transports: ['tcp', 'udp'],
    reportedAs: { blocked: 'number', door: 'number' },
    options: { alternative: { type: 'boolean', title: 'Commands in the form [begin]sms2,…,[end]', default: false } },
    setup: ['SMS: adminip123456 {host} {port}', 'SMS: apn123456 <apn>'],
    notCovered: ['The temperature at the end of some reports', 'OBD sentences (BQ86): kept raw'],
  },
  { framing, decoding, commanding, simulator },
);
