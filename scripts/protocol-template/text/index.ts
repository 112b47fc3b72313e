import { xor8 } from '#codec';
import { sentenceProtocol } from '#codec/text';
import { commands } from './commands.ts';
import { messages } from './decode.ts';
import { simulator } from './simulator.ts';

// TODO facts: the vendor's name, its models, the default port, the settings that an installer enters in the device.
export default sentenceProtocol({
  id: 'acme',
  title: 'Acme',
  models: ['A1'],
  port: 5998,
  setup: ['SMS SERVER {host} {port}'],
  notCovered: ['Everything except the made-up messages of the template'],
  // TODO sentences: `$acme,<id>,<type>,…*HH` with CR and LF; `opening` if other protocols have the same start. Use
  // `streamProtocol` with a framing of `#codec/framing` for messages that begin, end or are verified in another way.
  sentences: { start: '$acme,', maxBytes: 1_024, checksum: xor8 },
  messages,
  // TODO acknowledgements: what names the message, so that the device knows what is stored.
  acknowledge: (type = '?') => (type === 'R' ? '' : `ACK,${type}`),
  reject: 'NAK',
  commandHead: 'CMD,',
  commands,
  /** text that switches something */
  privileged: [/\bRELAY\b/i],
  simulator,
});
