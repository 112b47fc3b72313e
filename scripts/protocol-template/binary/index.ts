import { crc16CcittFalse } from '#codec';
import { packetProtocol } from '#codec/binary';
import { commands } from './commands.ts';
import { messages } from './decode.ts';
import { simulator } from './simulator.ts';

// TODO facts: the vendor's name, its models, the default port, the settings that an installer enters in the device.
export default packetProtocol({
  id: 'acme',
  title: 'Acme',
  models: ['A1'],
  port: 5998,
  setup: ['SMS SERVER {host} {port}'],
  notCovered: ['Everything except the made-up messages of the template'],
  // TODO packets: two marks, u8 length of type and body, type, body, CRC. Use `streamProtocol` with a framing of
  // `#codec/framing` for messages that begin, end or are verified in another way.
  packets: { marks: [0xa5, 0xa5], lengthBytes: 1, maxBytes: 260, checksum: crc16CcittFalse, firstTypes: [0, 4] },
  messages,
  // TODO acknowledgements: what names the message, so that the device knows what is stored.
  acknowledge: (type) => (type === 4 ? undefined : [0x80, type]),
  reject: [0x8f, 0],
  commandType: 0x90,
  commands,
  /** text that switches something */
  privileged: [/\bRELAY\b/i],
  simulator,
});
