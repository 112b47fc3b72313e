import { httpProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import { simulator } from './simulator.ts';

export default httpProtocol(
  {
    id: 'owntracks',
    title: 'OwnTracks',
    vendor: 'OwnTracks',
    models: ['OwnTracks for Android', 'OwnTracks for iOS', 'qtripp (Queclink)', 'Choral Greenwich'],
    port: 5144,
    reportedAs: { adc1: 'string', adc2: 'string' },
    setup: [
      'Mode HTTP, URL http://{host}:{port}',
      'The device id here is the topic with colons (owntracks:jane:phone), or the tracker id of an app without a topic',
      'Encryption off',
    ],
    carriesNothing: [{ title: 'a friend was deleted in the app', frame: /\r\ncontent-length: 0\r\n\r\n$/i }],
    notCovered: ['Encrypted payloads: they are refused', 'MQTT mode', 'Friends and their cards in the answers'],
  },
  { decoding, commanding, simulator },
);
