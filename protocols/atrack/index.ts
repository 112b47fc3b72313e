import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import type { State } from './decode.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol<State>(
  {
    id: 'atrack',
    title: 'ATrack',
    vendor: 'ATrack Technology',
    models: ['AK1', 'AK7', 'AK11', 'AT1', 'AT5', 'AX5', 'AX7', 'AX9', 'AX11'],
    port: 5044,
    transports: ['tcp', 'udp'],
    initialState: () => ({}),
    options: {
      custom: { type: 'boolean', title: 'Records have values of one’s own behind them', default: false },
      form: { type: 'string', title: 'Their names, such as %MV%BV, where the records do not say them' },
      frameMask: { type: 'number', title: '1: beacons come as elements with lengths', default: 0 },
      longDate: { type: 'boolean', title: 'Times have seven bytes', default: false },
      decimalFuel: { type: 'boolean', title: 'Fuel sensors write decimal numbers', default: false },
    },
    setup: ['AT$GPRS=1,<apn>,,{host},{port},1,0,0', 'AT$FORM=1,@P,0,"%MV%BV" for values of one’s own'],
    notCovered: ['Names of report types, which installers give', 'Checksums, which are not looked at'],
  },
  { framing, decoding, commanding, simulator },
);
