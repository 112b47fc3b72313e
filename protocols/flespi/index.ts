import { httpProtocol } from '#codec';
import * as decoding from './decode.ts';
import { simulator } from './simulator.ts';

export default httpProtocol(
  {
    id: 'flespi',
    title: 'flespi streams',
    vendor: 'Gurtam',
    models: ['flespi HTTP stream'],
    port: 5149,
    // a batch has many messages of many parameters
    maxBytes: 1_048_576,
    deviceNamedKeys: true,
    setup: ['Stream of protocol http: URI http://{host}:{port}; the device id here is the ident of the device'],
    notCovered: [
      'Commands: a stream has no way back',
      'Parameters that are objects or arrays, such as lists of beacons',
      'Cells and access points: they stay parameters of their names',
    ],
  },
  { decoding, commanding: { commands: {} }, simulator },
);
