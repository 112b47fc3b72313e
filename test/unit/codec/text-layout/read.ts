import { Fields, type Layout, layout, type Part, TextRecord } from '#codec/text';

/** What a text of fields sets, and how far it was read. */
export function read(text: string, parts: readonly Part[] | Layout, record = new TextRecord()) {
  const fields = new Fields(text.split(','));
  const isWhole = ('kind' in parts ? parts : layout(...parts)).walk(fields, record);
  return { isWhole, at: fields.at, record, ...record.draft.attributes };
}
