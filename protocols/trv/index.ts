import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'trv',
    title: 'Thinkrace (TRV and IW)',
    vendor: 'Thinkrace, Beesure and others',
    models: ['VT202', 'VT206', 'C11', 'C13', 'GF-22', 'PT880', 'Thinkrace watches'],
    port: 5010,
    initialState: () => ({}),
    expectsReply: [
      {
        title: 'login',
        frame: /^(?:(?:545256|4957)41503030|(?:TRV|IW)AP00)/,
        reply: /^(?:(?:545256|4957)42503030|(?:TRV|IW)BP00)/,
      },
      {
        title: 'position',
        frame: /^(?:(?:545256|4957)41503(?:031|130)|(?:TRV|IW)AP(?:01|10))/,
        reply: /^(?:(?:545256|4957)4250|(?:TRV|IW)BP)/,
      },
      { title: 'heartbeat', frame: /^(?:54525643503031|TRVCP01)/, reply: /^(?:54525644503031|TRVDP01)/ },
    ],
    setup: ['By the SMS commands of the model: server {host}, port {port}'],
    notCovered: [
      'Electrocardiograms and settings: kept raw, and acknowledged',
      'What the states of sleep mean (AP97), and assisted GPS for a cell (AP06)',
      'Unsure: alarms 5 and 6 (a fall by three servers; opened, too fast by two others); 15 to 17 stay an event',
      'A place that the watch or another server has found from the signals (in brackets behind AP01)',
      'Names of access points',
      'The address that a device may ask for with its cells (AP02)',
    ],
  },
  { framing, decoding, commanding, simulator },
);
