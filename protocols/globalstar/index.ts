import { httpProtocol } from '#codec';
import * as decoding from './decode.ts';
import { simulator } from './simulator.ts';

export default httpProtocol(
  {
    id: 'globalstar',
    title: 'Globalstar simplex',
    vendor: 'Globalstar',
    models: ['SmartOne', 'SmartOne C', 'SmartOne Solar', 'STX3', 'AtlasTrax'],
    port: 5185,
    maxBytes: 1_048_576,
    options: { model: { type: 'string', title: 'Model: AtlasTrax has payloads of its own' } },
    setup: [
      'Back office of Globalstar: destination URL http://{host}:{port}; the device id here is the ESN (0-1234567)',
    ],
    notCovered: [
      'Commands: the devices only send',
      'Payloads of type 2 and 3 (raw data, diagnostics, counters): their bytes are kept',
      'Provisioning messages (prvmsgs)',
    ],
  },
  { decoding, commanding: { commands: {} }, simulator },
);
