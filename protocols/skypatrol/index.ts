import { streamProtocol } from '#codec';
import { datagrams } from '#codec/framing';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import { identify } from './head.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'skypatrol',
    title: 'SkyPatrol TT8750',
    vendor: 'SkyPatrol',
    models: ['TT8540', 'TT8750', 'TT8750+', 'TT8850'],
    port: 5021,
    transports: ['udp'],
    correlation: 'none',
    options: {
      mask: { type: 'number', title: 'Mask of the reports, where the device does not send it with each of them' },
    },
    setup: ['AT$FRIEND=1,1,"{host}",{port},2', 'AT$APIOPT=<mask>'],
    notCovered: [
      'Answers to commands, and reports of other kinds (0x00, 0x03)',
      'Cells, RTC and input voltages',
      'Binary reports of TT8850 with altitude, cell or name, whose sizes are not known; the unit of their speed',
      'Sentences beside RMC and GGA in texts, and the clock behind them',
    ],
  },
  { framing: { frame: datagrams, MAX_FRAME_BYTES: 1_500, identify }, decoding, commanding, simulator },
);
