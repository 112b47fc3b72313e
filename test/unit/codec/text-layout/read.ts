import { Fields, Told, textLayout } from '#codec';

type Part = textLayout.Part;
type Layout = textLayout.Layout;

/** What a text of fields tells, and how far it was read. */
export function read(text: string, parts: readonly Part[] | Layout, told = new Told()) {
  const fields = new Fields(text.split(','));
  const isWhole = ('kind' in parts ? parts : textLayout.layout(...parts)).walk(fields, told);
  return { isWhole, at: fields.at, told, ...told.draft.attributes };
}
