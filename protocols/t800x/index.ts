import type { StreamProtocol } from '#codec';
import { commands, dangerous } from './commands.ts';
import { acknowledgeUndecoded, decode } from './decode.ts';
import { frame, identify, MAX_FRAME_BYTES } from './frame.ts';
import { OLD, type State } from './packet.ts';
import { simulator } from './simulator.ts';

const t800x: StreamProtocol<State> = {
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
  service: 't800x',
  port: 5094,
  carrier: 'bytes',
  transports: ['tcp', 'udp'],
  maxFrameBytes: MAX_FRAME_BYTES,
  resync: 'marker',
  integrity: 'none',
  correlation: 'in-order',
  options: { model: { type: 'string', title: 'Model, where the bytes alone do not tell what they mean (TLW2-2BL)' } },
  initialState: () => ({ head: OLD }),
  identify,
  frame,
  decode,
  acknowledgeUndecoded,
  commands,
  dangerous,
  simulator,
  setup: [
    'SMS: IP,{host},{port}# (by name: DOMAIN,{host},{port}#)',
    'APN: APN,<name>,<user>,<password>#; the interval: TIMER,30,600#',
    'Payloads unencrypted (no AES key set)',
  ],
  notCovered: [
    'Encrypted payloads',
    'One-wire and RS-232 data, Wi-Fi and further messages (07 to 09, 12, 15, 18, 21, 31, 33): kept raw and acknowledged',
  ],
};

export default t800x;
