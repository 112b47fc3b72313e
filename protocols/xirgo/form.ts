import type { Message } from '#codec';
import { byName, TextRecord } from '#codec/text';
import { KEYS } from './tables.ts';

const byKey = byName(KEYS);

/** Values by the keys of the device's form; undefined if there are fewer values than keys. */
export function readForm(values: readonly string[], form: string): { id?: string; message: Message } | undefined {
  const keys = form.split(',');
  if (values.length < keys.length) return undefined;
  const record = new TextRecord();
  record.valid = false;
  byKey(keys)(values, record);
  const { id } = record.variables;
  return { ...(id === undefined ? {} : { id: String(id) }), message: record.toPosition() };
}
