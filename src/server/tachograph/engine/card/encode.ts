import type { CardChip, CardSection } from '../card-records.ts';
import { hex } from '../layout/layout.ts';
import type { Generation } from '../values.ts';
import { type Content, type ElementaryFile, FILES, type SectionName, VERSION_2 } from './files.ts';
import { chip } from './layouts.ts';
import { writeActivities } from './ring.ts';

/** Signer of files: its certificates, and the signature of data. */
export interface CardSigner {
  readonly certificates: readonly { readonly fid: string; readonly bytes: Uint8Array }[];
  sign(data: Uint8Array): Uint8Array;
}

export type SectionContent = Omit<CardSection, 'generation' | 'present'>;

export interface CardContent {
  readonly chip?: CardChip;
  readonly ic?: string;
  readonly gen1?: SectionContent;
  readonly gen2?: SectionContent;
}

export interface CardEncoding {
  /** Version of the second application. */
  readonly generation?: Exclude<Generation, 'G1'>;
  readonly signers?: { readonly gen1?: CardSigner; readonly gen2?: CardSigner };
  /** Where rings begin: bytes of the activities, and slots of the others. Both wrap around. */
  readonly activityStart?: number;
  readonly slotStart?: number;
  /** Bytes of the activities' ring. */
  readonly activityBytes?: number;
}

/**
 * Writes a download of a driver card, the inverse of `parseCard`, with files of full size.
 * Throws RangeError if there is more than a card can hold.
 */
export function encodeCard(content: CardContent, how: CardEncoding = {}): Uint8Array {
  const parts: Uint8Array[] = [];
  if (content.chip !== undefined) {
    const bytes = new Uint8Array(chip.size);
    chip.write(bytes, 0, content.chip);
    parts.push(tlv('0002', 0, bytes));
  }
  if (content.ic !== undefined) {
    const bytes = new Uint8Array(8);
    hex(8).write(bytes, 0, content.ic);
    parts.push(tlv('0005', 0, bytes));
  }
  for (const name of ['gen1', 'gen2'] as const) {
    const section = content[name];
    if (section !== undefined) parts.push(...encodeSection(name, section, how));
  }
  return Buffer.concat(parts);
}

function encodeSection(name: SectionName, section: SectionContent, how: CardEncoding): Uint8Array[] {
  const type = name === 'gen1' ? 0 : 2;
  const signer = how.signers?.[name];
  const parts = (signer?.certificates ?? []).map(({ fid, bytes }) => tlv(fid, type, bytes));
  for (const file of FILES[name]) {
    if (name === 'gen2' && how.generation !== 'G2v2' && VERSION_2.has(file.fid)) continue;
    const bytes = encodeFile(file, section, how);
    if (bytes === undefined) continue;
    parts.push(tlv(file.fid, type, bytes));
    if (file.signed && signer !== undefined) parts.push(tlv(file.fid, type + 1, signer.sign(bytes)));
  }
  return parts;
}

export function tlv(fid: string, type: number, value: Uint8Array): Uint8Array {
  const header = Buffer.from(`${fid}00`, 'hex');
  header[2] = type;
  return Buffer.concat([header, Uint8Array.of(value.length >> 8, value.length & 0xff), value]);
}

function encodeFile({ content }: ElementaryFile, section: SectionContent, how: CardEncoding): Uint8Array | undefined {
  if (content.form === 'activities') {
    return writeActivities(section.days, (how.activityBytes ?? 13_776) + 4, how.activityStart ?? 0);
  }
  if (content.form === 'one') {
    const value = section[content.key as keyof SectionContent];
    if (value === undefined) return undefined;
    const bytes = new Uint8Array(content.layout.size);
    content.layout.write(bytes, 0, value);
    return bytes;
  }
  const records = section[content.key as keyof SectionContent] as readonly unknown[];
  return content.form === 'ring'
    ? encodeRing(records, content, how.slotStart ?? 0)
    : encodeRow(records as readonly { type: number }[], content);
}

function encodeRing(
  records: readonly unknown[],
  { layout, count, pointerBytes }: Content & { form: 'ring' },
  start: number,
) {
  if (records.length > count) throw new RangeError(`${records.length} records do not fit ${count} slots`);
  const bytes = new Uint8Array(pointerBytes + count * layout.size);
  const newest = (start + Math.max(0, records.length - 1)) % count;
  bytes[pointerBytes - 1] = newest & 0xff;
  if (pointerBytes === 2) bytes[0] = newest >> 8;
  for (const [index, record] of records.entries()) {
    layout.write(bytes, pointerBytes + ((start + index) % count) * layout.size, record);
  }
  return bytes;
}

/** Sets hold one type each, in ascending order, breaches of security (10 to 2F) last. */
function encodeRow(records: readonly { type: number }[], { layout, count, set }: Content & { form: 'row' }) {
  const bytes = new Uint8Array(count * layout.size);
  const size = set ?? count;
  const groups = set === undefined ? [records] : setsOf(records);
  for (const [group, members] of groups.entries()) {
    if (members.length > size || group * size >= count) throw new RangeError(`more records than ${count} slots take`);
    for (const [index, record] of members.entries()) {
      layout.write(bytes, (group * size + index) * layout.size, record);
    }
  }
  return bytes;
}

const isBreach = (type: number): boolean => type >= 0x10 && type <= 0x2f;

function setsOf(records: readonly { type: number }[]): { type: number }[][] {
  const types = [...new Set(records.map(({ type }) => type))];
  types.sort((a, b) => Number(isBreach(a)) - Number(isBreach(b)) || a - b);
  return types.map((type) => records.filter((record) => record.type === type));
}
