import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'satsol',
    title: 'SatSol (Satellite Solutions)',
    vendor: 'Satellite Solutions',
    models: ['Super Lite 2', 'Super Ultimate 2', 'Sat-Lite 2'],
    port: 5184,
    correlation: 'none',
    options: { lenientChecksum: { type: 'boolean', title: 'Take messages whose checksum is wrong', default: false } },
    setup: [
      'Configurator, connection: server {host}, port {port}',
      'The device is registered by its number in decimal',
    ],
    notCovered: [
      'The vendor’s document was not available: the format is that of recorded messages and of another server for older containers',
      'Data behind the fixed part of a record, other than supply, signal, SIM card and network: passed over',
      'GSM, CAN, 1-wire and debug packets of Sat-Lite 2 (preamble 8A2C); its text protocol ($AV) is that of Arnavi: port of the service `arnavi`',
      'Commands of the vendor other than whole messages',
    ],
  },
  { framing, decoding, commanding, simulator },
);
