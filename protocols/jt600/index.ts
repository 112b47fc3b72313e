import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'jt600',
    title: 'Jointech',
    vendor: 'Shenzhen Joint Technology (Jointech)',
    models: ['JT600', 'JT701', 'JT705', 'GP4000', 'GP6000'],
    port: 5014,
    expectsReply: [
      { title: 'P45, unlocking', frame: /^(?:28(?:3\d)+2c503435|\(\d+,P45)/, reply: /^(?:28503639|\(P69)/ },
      { title: 'U01, U02, U03', frame: /^(?:28(?:3\d)+2c55303[123]|\(\d+,U0[123])/, reply: /^(?:28533339|\(S39)/ },
      { title: 'U06, alarm', frame: /^(?:28(?:3\d)+2c553036|\(\d+,U06)/, reply: /^(?:28533230|\(S20)/ },
    ],
    setup: ['SMS by the manual of the model: server {host}, port {port}'],
    notCovered: [
      'Trips (U09) and messages of the gateway of sensors other than WLNET 5',
      'A request to reset the password (P43): the password stays as it is',
      'IMEI, source of waking and area of the alarm behind the cell',
    ],
  },
  { framing, decoding, commanding, simulator },
);
