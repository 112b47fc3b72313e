import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';
import { DEFAULT_FORMAT, DEFAULT_SHORT_FORMAT } from './tables.ts';

export default streamProtocol(
  {
    id: 'globalsat',
    title: 'GlobalSat',
    vendor: 'GlobalSat WorldCom',
    models: ['TR-102', 'TR-151', 'TR-203', 'TR-206', 'GTR-128', 'GTR-388'],
    port: 5043,
    transports: ['tcp', 'udp'],
    correlation: 'none',
    options: {
      format0: {
        type: 'string',
        title: 'Format of reports GSr, as the device is set up (O3)',
        default: DEFAULT_FORMAT,
      },
      format1: { type: 'string', title: 'Format of reports GSh (ON)', default: DEFAULT_SHORT_FORMAT },
    },
    expectsReply: [{ title: 'report', frame: /^(?:4753|GS)/, reply: /^(?:41434b|ACK)/ }],
    setup: ['GSS,<IMEI>,3,0,D1=<APN>,E0={host},E1={port},A1=1*<checksum>!'],
    notCovered: [
      'Reports of fences (GSg): kept raw',
      'The acknowledgement of commands by the device (ACK)',
      'What follows the satellites of TR-102 and TR-151 behind a star',
    ],
  },
  { framing, decoding, commanding, simulator },
);
