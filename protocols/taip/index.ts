import { streamProtocol } from '#codec';
import { datagramsOr, delimited, identifyText } from '#codec/framing';
import * as commanding from './commands.ts';
import { decode } from './decode.ts';
import { simulator } from './simulator.ts';

const MAX_FRAME_BYTES = 512;

export default streamProtocol<undefined>(
  {
    id: 'taip',
    title: 'TAIP',
    vendor: 'Trimble, Lantrix, Virtualtec, Rinho, DCT, Akroz',
    models: [
      'Trimble receivers',
      'Lantrix',
      'Virloc',
      'Rinho',
      'Antares',
      'Syrus',
      'Akroz',
      'routers of Cradlepoint and Vanguard',
    ],
    port: 5031,
    transports: ['tcp', 'udp'],
    correlation: 'none',
    deviceNamedKeys: true,
    options: {
      model: { type: 'string', title: 'LANTRIX…: the checksum leaves out the star, where reports have none' },
    },
    expectsReply: [
      {
        title: 'report with a number',
        frame: /^>R(?:EV|PV|GP|CQ|CV|BR|US|PI|UV).*;ID=.*;#(?!IP|[89A-F][0-9A-F]{3}(?:;|<))/,
        reply: /^>ACK;/,
      },
      { title: 'report with a number of its port', frame: /;ID=.*;#IP/, reply: /^>SAK;/ },
    ],
    setup: ['By the commands of the model: reports with an ID to {host}, port {port}'],
    notCovered: [
      'Checksums, which the vendors compute in different ways',
      'Altitude by itself (AL)',
      'Voltages and others in RTT',
      'Answers to commands',
    ],
  },
  {
    framing: {
      frame: datagramsOr(delimited({ starts: ['>'], ends: ['<'], maxBytes: MAX_FRAME_BYTES, inner: 'restarts' })),
      MAX_FRAME_BYTES,
      identify: identifyText({
        start: '>',
        opening: [/^>R(?:EV|PV|CP|LN|AL|GP|CQ|CV|CY|EQ|ER|BR|PI|UV|TT|US)\d*[,+-]?/, 8],
        end: '<',
      }),
    },
    decoding: { decode },
    commanding,
    simulator,
  },
);
