import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'megastek',
    title: 'Megastek',
    vendor: 'Megastek Technologies',
    models: ['GVT-380', 'GVT-390', 'GVT-900', 'MT-60', 'MT-80', 'MT-90', 'MT-110'],
    port: 5024,
    correlation: 'none',
    setup: ['SMS by the manual of the model: server {host}, port {port}, TCP'],
    notCovered: ['Checksum behind the text', 'Flags of the older texts', 'Answers to commands'],
  },
  { framing, decoding, commanding, simulator },
);
