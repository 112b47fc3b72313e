import type { StreamProtocol } from '#codec';
import { commands, dangerous } from './commands.ts';
import { acknowledgeUndecoded, decode } from './decode.ts';
import { frame, identify, MAX_FRAME_BYTES, verify } from './frame.ts';
import { simulator } from './simulator.ts';

const castel: StreamProtocol<undefined> = {
  id: 'castel',
  title: 'Castel (Sinocastel)',
  vendor: 'Sinocastel',
  models: ['IDD-212', 'IDD-213', 'IDD-218', 'IDD-234', 'PT-690', 'MPIP-620'],
  service: 'castel',
  port: 5086,
  carrier: 'bytes',
  transports: ['tcp', 'udp'],
  maxFrameBytes: MAX_FRAME_BYTES,
  resync: 'marker',
  integrity: 'checksum',
  correlation: 'in-order',
  options: { lenientChecksum: { type: 'boolean', title: 'Take messages whose checksum is wrong', default: false } },
  initialState: () => undefined,
  identify,
  frame,
  verify,
  decode,
  acknowledgeUndecoded,
  commands,
  dangerous,
  simulator,
  setup: ['SMS: 8001#{host}#{port}', 'Or with the vendor’s PC tool: GPRS server {host}, port {port}, TCP or UDP'],
  notCovered: [
    'Supported values, settings and firmware (4004 and others): acknowledged where the document asks for it',
    'OBD values of units that are not in the document: the snapshot is kept raw',
  ],
};

export default castel;
