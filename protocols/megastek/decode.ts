import { CodecError, type DecodeContext, type Decoded, toLatin1 } from '#codec';
import { DEVICE_ID, TextRecord } from '#codec/text';
import { FIXED, HELLO, NAME, NAMED, RECORD } from './tables.ts';

export function decode(frame: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const text = toLatin1(frame);
  const start = text.indexOf('$MG');
  const record = new TextRecord();
  if (start >= 0 && HELLO(text.slice(start), record) >= 0)
    return { state, messages: [{ type: 'login', ids: [String(record.variables[DEVICE_ID])] }], replies: [] };
  const read = start >= 0 ? RECORD : /^(?:LOG)?STX,/.test(text) ? NAMED : FIXED;
  if (read(start > 0 ? text.slice(start) : text, record) < 0)
    throw new CodecError('bad-text', 'the fields are in no known order');
  const { [DEVICE_ID]: imei, [NAME]: name } = record.variables;
  const [id, other] = imei === undefined ? [name] : [imei, name];
  if (id === undefined) throw new CodecError('bad-text', 'the text names no device');
  const others = other === undefined || other === id ? [] : [String(other)];
  return { state, messages: [{ type: 'login', ids: [String(id), ...others] }, record.toPosition()], replies: [] };
}
