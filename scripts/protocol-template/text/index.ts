import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

// TODO facts: the vendor's name, its models, the default port, the settings that an installer enters in the device.
export default streamProtocol(
  {
    id: 'acme',
    title: 'Acme',
    models: ['A1'],
    port: 5998,
    setup: ['SMS SERVER {host} {port}'],
    notCovered: ['Everything except the made-up messages of the template'],
  },
  { framing, decoding, commanding, simulator },
);
