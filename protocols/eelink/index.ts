import type { StreamProtocol } from '#codec';
import { commands, dangerous } from './commands.ts';
import { acknowledgeUndecoded, decode, type State } from './decode.ts';
import { frame, identify, MAX_FRAME_BYTES, verify } from './frame.ts';
import { simulator } from './simulator.ts';

const eelink: StreamProtocol<State> = {
  id: 'eelink',
  title: 'Eelink (Keelin)',
  vendor: 'Shenzhen Eelink',
  models: ['TK115', 'TK116', 'TK119', 'TK319', 'TK419', 'GPT06', 'GPT09', 'GOT08', 'GOT10', 'BTT01'],
  service: 'eelink',
  port: 5064,
  carrier: 'bytes',
  transports: ['tcp', 'udp'],
  maxFrameBytes: MAX_FRAME_BYTES,
  resync: 'marker',
  integrity: 'checksum',
  correlation: 'ticket',
  options: { lenientChecksum: { type: 'boolean', title: 'Take datagrams whose checksum is wrong', default: false } },
  initialState: (deviceId) => ({ deviceId, isDatagram: false }),
  identify,
  frame,
  verify,
  decode,
  acknowledgeUndecoded,
  commands,
  dangerous,
  simulator,
  setup: [
    'SMS: SERVER,0,{host},{port},0# (by name: SERVER,1,{host},{port},0#)',
    'APN: APN,<name>#; the interval: TIMER,60#',
  ],
  notCovered: ['Pictures, notices and transparent data (08, 1E, 1F, 81): acknowledged as the protocol says'],
};

export default eelink;
