import { httpProtocol } from '#codec';
import * as decoding from './decode.ts';
import { simulator } from './simulator.ts';

export default httpProtocol(
  {
    id: 'sigfox',
    title: 'Sigfox callbacks',
    vendor: 'Sigfox; Digital Matter and other makers of devices',
    models: ['Oyster Sigfox', 'Yabby Sigfox', 'Amber', 'other devices with a position in the callback'],
    port: 5154,
    options: { model: { type: 'string', title: 'Model: Amber has data of its own' } },
    setup: [
      'Callback of type DATA UPLINK: URL http://{host}:{port}, POST, application/json',
      'Body {"device":"{device}","time":{time},"data":"{data}","seqNumber":{seqNumber}}; the device id here is {device}',
    ],
    notCovered: [
      'Downlink messages: they are configured in the back end of Sigfox',
      'Data of other devices, and acknowledgements and statistics of the Oyster: their bytes are kept',
    ],
  },
  { decoding, commanding: { commands: {} }, simulator },
);
