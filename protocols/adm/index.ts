import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'adm',
    title: 'Neomatica ADM',
    vendor: 'Neomatica',
    models: ['ADM50', 'ADM100', 'ADM300', 'ADM333', 'ADM600', 'ADM700'],
    port: 5092,
    resync: 'none',
    setup: ['SMS: SETHOST0 {host} {port}', 'Or in ADM Configurator: Servers, first server {host}:{port}, protocol ADM'],
    notCovered: ['ADM5 and photo messages (types 01 and 0A): passed over'],
  },
  { framing, decoding, commanding, simulator },
);
