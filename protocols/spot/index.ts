import { httpProtocol } from '#codec';
import * as decoding from './decode.ts';
import { simulator } from './simulator.ts';

export default httpProtocol(
  {
    id: 'spot',
    title: 'SPOT satellite messengers',
    vendor: 'Globalstar',
    models: ['SPOT Trace', 'SPOT Gen3', 'SPOT Gen4', 'SPOT X'],
    port: 5156,
    // 50 messages a page
    maxBytes: 1_048_576,
    setup: [
      'Feed of the account pushed to http://{host}:{port}; the device id here is the name of the device (esnName)',
    ],
    carriesNothing: [{ title: 'a list without messages', frame: /<messageList(?![\s\S]*<message>)/ }],
    notCovered: ['Commands: the devices only send', 'The shared page, which is polled'],
  },
  { decoding, commanding: { commands: {} }, simulator },
);
