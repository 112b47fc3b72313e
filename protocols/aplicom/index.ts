import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'aplicom',
    title: 'Aplicom',
    vendor: 'Aplicom',
    models: ['A1', 'A9', 'A11', 'Q-series'],
    port: 5049,
    resync: 'none',
    correlation: 'none',
    setup: ['Aplicom Configurator: server address {host}, port {port}, protocol D with IMEI (version C1)'],
    notCovered: ['CAN data inside of event 119: kept as hex', 'Messages of other letters: kept raw'],
  },
  { framing, decoding, commanding, simulator },
);
