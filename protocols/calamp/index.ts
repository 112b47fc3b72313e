import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'calamp',
    title: 'CalAmp LM Direct',
    vendor: 'CalAmp',
    models: [
      'LMU-200',
      'LMU-1200',
      'LMU-2600',
      'LMU-2630',
      'LMU-3030',
      'LMU-4200',
      'LMU-5530',
      'TTU-1200',
      'TTU-2830',
      'JPOD',
    ],
    port: 5082,
    transports: ['udp'],
    resync: 'none',
    initialState: (deviceId) => ({ deviceId }),
    setup: [
      'LMU Manager: Inbound 1 (parameter 2319) {host}, port (769) {port}, UDP',
      'Options header with mobile id and its type (parameter 1024: bits 0 and 1); event reports acknowledged (LM Direct, class A)',
      'SMS: !RP,2319,0,{host}; then !RP,769,0,{port}; then !R3,70,0 to restart',
    ],
    notCovered: [
      'Application data, configuration, accumulators of user messages and mini user messages (5, 6, 9, 11): acknowledged only',
    ],
  },
  { framing, decoding, commanding, simulator },
);
