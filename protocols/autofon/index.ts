import { bytesCommand, EVERY_MESSAGE, streamProtocol } from '#codec';
import { decode, initialState, type State } from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'autofon',
    title: 'AutoFon',
    vendor: 'AutoFon',
    models: ['Alfa', 'Omega', 'SE beacon', 'Type 45'],
    port: 5077,
    correlation: 'none',
    // the first byte of a packet is its type, and no more marks it
    resync: 'none',
    initialState,
    expectsReply: [{ title: 'login', frame: /^(?:10.{22}|41.{36})$/, reply: /^(?:resp_crc=|726573705f6372633d)/ }],
    setup: ['Settings of the beacon: server {host}, port {port}'],
    notCovered: [
      'The vendor’s document was not available: the format is that of recorded messages and of another server',
      'Settings and schedules; checksums, which recorded packets do not all keep',
      'Commands of the vendor other than whole messages',
    ],
  },
  {
    framing,
    decoding: { decode },
    commanding: {
      commands: { custom: bytesCommand<State>('A whole message') },
      privileged: EVERY_MESSAGE,
    },
    simulator,
  },
);
