import { httpProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import { simulator } from './simulator.ts';

// TODO facts: the vendor's name, its models, the default port, the settings that an installer enters in the device.
export default httpProtocol(
  {
    id: 'acme',
    title: 'Acme',
    vendor: 'Acme',
    models: ['A1'],
    port: 5998,
    setup: ['Server URL http://{host}:{port}/acme'],
    notCovered: ['Everything except the made-up requests of the template'],
  },
  { decoding, commanding, simulator },
);
