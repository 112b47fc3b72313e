import { type Message, Told, textLayout } from '#codec';
import { KEYS } from './tables.ts';

const byKey = textLayout.named(KEYS);

/** Values by the keys of the device's form; undefined where there are fewer values than keys. */
export function readForm(values: readonly string[], form: string): { id?: string; message: Message } | undefined {
  const keys = form.split(',');
  if (values.length < keys.length) return undefined;
  const told = new Told();
  told.valid = false;
  byKey(keys)(values, told);
  const { id } = told.facts;
  return { ...(id === undefined ? {} : { id: String(id) }), message: told.toPosition() };
}
