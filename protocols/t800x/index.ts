import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { OLD } from './packet.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 't800x',
    title: 'TOPFLYtech T8800 and TL series',
    vendor: 'TOPFLYtech',
    models: [
      'T8801',
      'T8803',
      'T8803+',
      'T8806',
      'T8806+',
      'TLW1',
      'TLW2',
      'TLW2-2BL',
      'TLD1',
      'TLP1',
      'SolarX',
      'KnightX',
    ],
    port: 5094,
    transports: ['tcp', 'udp'],
    options: { model: { type: 'string', title: 'Model, where the bytes alone are ambiguous (TLW2-2BL)' } },
    initialState: () => ({ head: OLD }),
    setup: [
      'SMS: IP,{host},{port}# (by name: DOMAIN,{host},{port}#)',
      'APN: APN,<name>,<user>,<password>#; the interval: TIMER,30,600#',
      'Payloads unencrypted (no AES key set)',
    ],
    notCovered: [
      'Encrypted payloads',
      'One-wire and RS-232 data, Wi-Fi and further messages (07 to 09, 12, 15, 17, 20 to 27, 31, 40, 44, 62, 64): kept raw and acknowledged',
    ],
  },
  { framing, decoding, commanding, simulator },
);
