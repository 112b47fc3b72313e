import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

// TODO facts: what the vendor calls it, its models, its default port, what an installer writes into the device.
export default streamProtocol(
  {
    id: 'acme',
    title: 'Acme',
    vendor: 'Acme',
    models: ['A1'],
    port: 5998,
    initialState: () => ({}),
    setup: ['SMS SERVER {host} {port}'],
    notCovered: ['Everything but the made-up messages of the template'],
  },
  { framing, decoding, commanding, simulator },
);
