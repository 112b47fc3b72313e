import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import type { State } from './decode.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol<State>(
  {
    id: 'xirgo',
    title: 'Xirgo',
    vendor: 'Xirgo Technologies',
    models: ['XT-2000', 'XT-2400', 'XT-4700', 'XT-6200'],
    port: 5081,
    transports: ['tcp', 'udp'],
    correlation: 'none',
    initialState: () => ({}),
    options: {
      form: {
        type: 'string',
        title: 'Keys of a customised report, such as UID,EV,D,T,LT,LN,AL,GSPT,HD,SV,HP,BV,CQ,GS,SI,IG,OT',
      },
    },
    setup: ['SMS: +XT:1001,{host},{port}', 'SMS: +XT:1003,<apn>'],
    notCovered: [
      'Acceleration, deceleration, engine load and the age of a fix: passed over',
      'Keys of forms that the document does not name',
    ],
  },
  { framing, decoding, commanding, simulator },
);
