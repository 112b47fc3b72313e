import { streamProtocol } from '#codec';
import { datagramsOr, delimited, identifyText } from '#codec/framing';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import { simulator } from './simulator.ts';

const MAX_FRAME_BYTES = 2_048;
const NUL = '\0';

export default streamProtocol(
  {
    id: 'gl100',
    title: 'Queclink GL100',
    vendor: 'Queclink, Quectel',
    models: ['GL100', 'GL50', 'GT200', 'GT300'],
    port: 5003,
    transports: ['tcp', 'udp'],
    expectsReply: [
      {
        title: 'heartbeat',
        frame: /^(?:41542b4754484244|AT\+GTHBD)/,
        reply: /^(?:2b524553503a4754484244|\+RESP:GTHBD)/,
      },
    ],
    setup: ['AT+GTSRI=gl100,2,<apn>,,,{host},{port},,0000'],
    notCovered: [
      'Acknowledgements of each message, which AT+GTACK turns on',
      'Fence and direction of GTSZI',
      'Reports for queries other than the ICCID',
    ],
  },
  {
    framing: {
      frame: datagramsOr(
        delimited({
          starts: ['+RESP:GT', '+ACK:GT', 'AT+GTHBD='],
          ends: [NUL],
          maxBytes: MAX_FRAME_BYTES,
          inner: 'restarts',
        }),
      ),
      MAX_FRAME_BYTES,
      identify: identifyText({
        start: (bytes, at) => (bytes[at] === 0x2b || bytes[at] === 0x41 ? 'yes' : 'no'),
        opening: [/^(?:\+(?:RESP|ACK):GT[A-Z0-9]{3},\d{15},|AT\+GTHBD=)/, 28],
        end: NUL,
      }),
    },
    decoding,
    commanding,
    simulator,
  },
);
