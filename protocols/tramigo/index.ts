import { bytesCommand, EVERY_MESSAGE, streamProtocol } from '#codec';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'tramigo',
    title: 'Tramigo',
    vendor: 'Tramigo',
    models: ['T22', 'T23', 'T24', 'M1 Move'],
    port: 5073,
    correlation: 'none',
    // one byte is all that marks a frame
    resync: 'none',
    options: { lenientChecksum: { type: 'boolean', title: 'Take messages whose checksum is wrong', default: false } },
    expectsReply: [
      { title: 'binary report', frame: /^04/, reply: /^041800/ },
      { title: 'text report', frame: /^80/, reply: /^gprs,ack,\d+$/ },
    ],
    setup: ['By SMS commands of the model: server {host}, port {port}'],
    notCovered: [
      'The vendor’s document was not available: the format is that of recorded messages',
      'Frames of versions 01 and 02, and the checksum of version 80, of which there is no example',
      'Trips, landmarks and zones of binary reports: passed over',
      'Commands of the vendor other than whole messages',
    ],
  },
  {
    framing,
    decoding,
    commanding: { commands: { custom: bytesCommand<undefined>('A whole message') }, privileged: EVERY_MESSAGE },
    simulator,
  },
);
