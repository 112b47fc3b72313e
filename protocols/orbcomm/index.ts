import { httpProtocol } from '#codec';
import * as decoding from './decode.ts';
import { simulator } from './simulator.ts';

export default httpProtocol(
  {
    id: 'orbcomm',
    title: 'ORBCOMM IsatData Pro',
    vendor: 'ORBCOMM (SkyWave)',
    models: ['IDP-680', 'IDP-690', 'IDP-782', 'ST 6100', 'ST 9100'],
    port: 5270,
    // a page of messages, each of which has many fields
    maxBytes: 1_048_576,
    deviceNamedKeys: true,
    setup: [
      'curl "https://<service>/RestMessages.svc/JSON/get_return_messages/?access_id=<id>&password=<password>&start_utc=<NextStartUTC>" > page.json, at intervals',
      'curl --fail --data-binary @page.json http://{host}:{port}; the device id here is the MobileID',
    ],
    carriesNothing: [{ title: 'a page without messages', frame: /"Messages"\s{0,8}:\s{0,8}(?:null|\[\s{0,8}\])/ }],
    notCovered: [
      'Polling: the service of ORBCOMM answers only who asks it, so a scheduled program brings its pages',
      'Commands: messages to terminals are submitted to the service',
      'Fields that are lists or messages themselves, and raw payloads',
    ],
  },
  { decoding, commanding: { commands: {} }, simulator },
);
