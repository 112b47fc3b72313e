import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'arnavibinary',
    title: 'Arnavi, binary',
    vendor: 'Arusnavi',
    models: ['Integral-2', 'Integral-3', 'Arnavi 4', 'Arnavi 5'],
    service: 'arnavi',
    port: 5100,
    resync: 'none',
    setup: [
      'SMS: 123456*SERV*1*{host}*{port}*',
      'Or in ARNAVI Configurator: server 1 {host}:{port}, protocol InternalV2',
    ],
    notCovered: [
      'Texts, files and binary records (types 03, 04 and 06): passed over',
      'The checksums of records, which devices in the field do not keep, are not looked at',
    ],
  },
  { framing, decoding, commanding, simulator },
);
