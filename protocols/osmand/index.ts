import { httpProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import { simulator } from './simulator.ts';

export default httpProtocol(
  {
    id: 'osmand',
    title: 'OsmAnd, Traccar Client and other apps (HTTP)',
    vendor: 'OsmAnd; Traccar; Transistor Software',
    models: ['Traccar Client', 'OsmAnd', 'GPSLogger', 'background geolocation (Transistor)'],
    port: 5055,
    deviceNamedKeys: true,
    options: {
      speedUnit: { type: 'string', title: 'Unit of speed in queries: kn, km/h, m/s or mph', default: 'kn' },
    },
    setup: [
      'Traccar Client: server URL http://{host}:{port}, device identifier: the device’s id here',
      'OsmAnd, trip recording, on-line tracking: http://{host}:{port}/?id=<id>&lat={0}&lon={1}&timestamp={2}&accuracy={3}&altitude={4}&speed={5}&bearing={6}, and the device option speedUnit=m/s',
    ],
    notCovered: [
      'A command for an app that closes its connection behind each answer: it waits until one stays open',
      'Answers of apps to commands: apps send no answers',
    ],
  },
  { decoding, commanding, simulator },
);
