import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'topin',
    title: 'Topin and ZhongXun',
    vendor: 'Topin (ZhongXun)',
    models: ['ZX303', 'ZX612', 'ZX905', 'ZX908', 'ZX909'],
    port: 5199,
    initialState: () => ({}),
    correlation: 'none',
    options: {
      interval: {
        type: 'number',
        title: 'Seconds between positions, where the device asks for its settings',
        default: 60,
      },
      numbers: {
        type: 'string',
        title: 'Telephone numbers of the alarm button, of father and mother, with ; between them, in these settings',
      },
    },
    expectsReply: [
      { title: 'login', frame: /^7878..01/, reply: /^7878..01/ },
      { title: 'position', frame: /^7878..1[01]/, reply: /^7878..1[01]/ },
      { title: 'status', frame: /^7878..13/, reply: /^7878..13/ },
      { title: 'request of the settings', frame: /^7878..57/, reply: /^7878..57/ },
      { title: 'request of the time', frame: /^7878..30/, reply: /^7878..30/ },
      {
        title: 'cells and access points',
        frame: /^7878..(?:17|18|19|1a|1b|69)/,
        reply: /^7878..(?:17|18|19|1a|1b|69)/,
      },
    ],
    setup: ['SMS pw,123456,ip,{host},{port}#'],
    notCovered: [
      'Positions that the server finds from cells and access points are not sent to the device',
      'Lists of telephone numbers (58), which are requested but not kept here',
      'A piece of a sound recording (65) that is missing is not asked for',
      'Alarm clock, hours without calls and hours without GPS in the settings (57): none are set',
      'Temperature in the status: its unit is not known',
    ],
  },
  { framing, decoding, commanding, simulator },
);
