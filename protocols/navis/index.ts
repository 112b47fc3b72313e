import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';
import { NOTHING_AGREED, type State } from './state.ts';

export default streamProtocol<State>(
  {
    id: 'navis',
    title: 'Navtelecom NTCB and FLEX',
    vendor: 'Navtelecom',
    models: ['SIGNAL S-2551', 'SIGNAL S-2651', 'SMART S-2420', 'SMART S-2430', 'SMART S-2435'],
    port: 5019,
    initialState: () => NOTHING_AGREED,
    reportedAs: { armed: 'number' },
    options: { lenientChecksum: { type: 'boolean', title: 'Take messages whose checksum is wrong', default: false } },
    setup: ['SMS: *!SETGPRS0 {host}:{port}', 'Or in NTC Configurator: server 1 {host}:{port}, protocol FLEX'],
    notCovered: [
      'FLEX fields of tyres, tachograph, passengers, slopes and the refrigerator (71 to 205 but for a few): passed over',
    ],
  },
  { framing, decoding, commanding, simulator },
);
