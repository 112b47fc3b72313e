import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'watch',
    title: 'Watches for children and the elderly (SeTracker, Wonlex)',
    vendor: 'Wonlex and others',
    models: ['Q50', 'Q90', 'GW100', 'GW300', 'GW400', 'KT01', 'EW100', 'D99', 'A36'],
    port: 5093,
    initialState: () => ({ maker: 'CS', indexed: false }),
    setup: ['SMS pw,123456,ip,{host},{port}#', 'SMS pw,123456,upload,60#'],
    notCovered: ['Calls and video calls; health messages other than temperature, pulse, pressure and oxygen'],
  },
  { framing, decoding, commanding, simulator },
);
