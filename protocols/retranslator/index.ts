import { bytesCommand, EVERY_MESSAGE, streamProtocol } from '#codec';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'retranslator',
    title: 'Wialon Retranslator',
    vendor: 'Gurtam',
    models: ['Wialon Hosting', 'Wialon Local', 'other servers that relay by version 1.0'],
    port: 5167,
    correlation: 'none',
    // a packet begins with its length
    resync: 'none',
    deviceNamedKeys: true,
    setup: [
      'Retranslator of type Wialon Retranslator 1.0: server {host}, port {port}; the id here is that of the unit',
    ],
    notCovered: [
      'Binary blocks other than posinfo and pictures',
      'Version 2 of the protocol',
      'Driver and inputs of the bit mask: they are sent as blocks as well',
    ],
  },
  {
    framing,
    decoding,
    commanding: { commands: { custom: bytesCommand<undefined>('A whole message') }, privileged: EVERY_MESSAGE },
    simulator,
  },
);
