import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'its',
    title: 'AIS 140 (public vehicles in India)',
    vendor: 'ARAI AIS-140; iTriangle, RoadRPA, TraxSmart, Atlanta, Startek and others',
    models: ['iTriangle TS101', 'RoadRPA', 'TraxSmart', 'Atlanta', 'Startek VT140', 'other units by AIS 140'],
    port: 5179,
    correlation: 'none',
    expectsReply: [
      { title: 'login', frame: /^\$,LGN,/, reply: /^\$LGN\d{14}\*$/ },
      { title: 'login by number', frame: /^\$,01,/, reply: /^\$,1,\*$/ },
      { title: 'health', frame: /^\$,HBT,/, reply: /^\$HBT\*$/ },
    ],
    setup: ['SET PIP:{host}', 'SET PPT:{port}'],
    notCovered: [
      'Checksums, which the makers compute in different ways',
      'Last place in a login, which has no time',
      'Distance and number to call back of emergency messages',
      'Fields behind the frame number that only one maker sends',
      'Country, network and area without a cell (ACTVR, HCHKR)',
      'Fields of health that only one maker sends (HLT, HLP)',
    ],
  },
  { framing, decoding, commanding, simulator },
);
