import type { Report } from '../layout/days.ts';
import { hex, type Note } from '../layout/layout.ts';
import type { ApplicationIdentification, CardFile, CardKind, CardSection, Finding, Generation } from '../records.ts';
import { type Content, fileOf, OTHER_FILES, type SectionName, VERSION_2 } from './files.ts';
import { chip, identifications } from './layouts.ts';
import { readActivities } from './ring.ts';
import { type CardBlock, CardSplitter, isForeign, isSignature, placeOf, sectionOf } from './tlv.ts';

const KINDS: ReadonlyMap<number, CardKind> = new Map([
  [1, 'driver-card'],
  [2, 'workshop-card'],
  [3, 'control-card'],
  [4, 'company-card'],
]);

/** Reads a card's download. Never throws; damage is reported in `findings`. */
export function parseCard(bytes: Uint8Array): CardFile {
  const cutter = new CardSplitter(bytes);
  cutter.split(0);
  return readCard(cutter.blocks, cutter.findings);
}

/** A card from the files of its download. */
export function readCard(blocks: readonly CardBlock[], splitFindings: readonly Finding[]): CardFile {
  const findings = [...splitFindings];
  const data = lastOfEach(blocks, findings);
  const gen1 = readSection('gen1', data, findings);
  const gen2 = readSection('gen2', data, findings);
  const chipBlock = data.find(({ fid, bytes }) => fid === '0002' && bytes.length >= chip.size);
  const icBlock = data.find(({ fid, bytes }) => fid === '0005' && bytes.length >= 8);
  const cardType = (gen1?.application ?? gen2?.application)?.cardType;
  return {
    kind: KINDS.get(cardType ?? 1) ?? 'driver-card',
    generations: [gen1, gen2].flatMap((section) => section?.generation ?? []),
    ...(chipBlock && { chip: chip.read(chipBlock.bytes, 0, () => {}) }),
    ...(icBlock && { ic: hex(8).read(icBlock.bytes, 0, () => {}) }),
    ...(gen1 && { gen1 }),
    ...(gen2 && { gen2 }),
    findings,
  };
}

/** Of a duplicate file the last one counts. */
function lastOfEach(blocks: readonly CardBlock[], findings: Finding[]): CardBlock[] {
  const last = new Map<string, CardBlock>();
  for (const block of blocks) {
    if (isSignature(block.type)) continue;
    const where = placeOf(block.fid, block.type);
    if (isForeign(block.type)) {
      const detail = `type ${block.type} of a file is not known, ${block.length} bytes are skipped`;
      findings.push({ code: 'unknown-block', where, offset: block.offset, detail });
      continue;
    }
    if (last.delete(where)) {
      findings.push({ code: 'duplicate', where, offset: block.offset, detail: 'comes again: the last one counts' });
    }
    last.set(where, block);
  }
  return [...last.values()];
}

const COMMON_FILES = new Set(['0002', '0005']);

function readSection(name: SectionName, data: readonly CardBlock[], findings: Finding[]): CardSection | undefined {
  const blocks = data.filter(({ type, fid }) => sectionOf(type) === name && !COMMON_FILES.has(fid));
  if (blocks.length === 0) return undefined;
  const section: Record<string, unknown> = {};
  const counts: Record<string, number> = {};
  for (const key of LISTS) section[key] = [];
  for (const block of blocks) {
    const file = fileOf(name, block.fid);
    if (file !== undefined) readFile(block, file.content, section, counts, findings);
    else if (!OTHER_FILES.has(block.fid)) {
      findings.push({
        code: 'unknown-block',
        where: placeOf(block.fid, block.type),
        offset: block.offset,
        detail: `${block.length} bytes that nothing is known of`,
      });
    }
  }
  const present = blocks.map(({ fid }) => fid);
  const read = { generation: 'G1', present, ...section } as unknown as CardSection;
  checkCounts(name, read.application, counts, findings);
  return { ...read, generation: generationOf(name, read) };
}

const LISTS = [
  'events',
  'faults',
  'days',
  'vehiclesUsed',
  'places',
  'specificConditions',
  'vehicleUnitsUsed',
  'gnss',
  'placeAuthentications',
  'gnssAuthentications',
  'borderCrossings',
  'loadUnloads',
  'loadTypes',
] as const;

function generationOf(name: SectionName, { application, present }: CardSection): Generation {
  if (name === 'gen1') return 'G1';
  return application?.structureVersion === '0101' || present.some((fid) => VERSION_2.has(fid)) ? 'G2v2' : 'G2v1';
}

function readFile(
  block: CardBlock,
  content: Content,
  section: Record<string, unknown>,
  counts: Record<string, number>,
  findings: Finding[],
): void {
  const where = placeOf(block.fid, block.type);
  const reportedNotes = new Set<string>();
  const report: Report = (code, detail) => {
    // Identical notes of a file are reported once.
    if (reportedNotes.has(detail)) return;
    reportedNotes.add(detail);
    findings.push({ code, where, offset: block.offset, detail });
  };
  const note: Note = (detail) => report(detail.startsWith('code page') ? 'code-page' : 'damaged', detail);
  if (content.form === 'activities') {
    counts['activityBytes'] = block.length - 4;
    section['days'] = readActivities(block.bytes, block.length, report);
    return;
  }
  if (content.form === 'one') {
    const layout = content.key === 'identification' ? identifications.get(block.length) : content.layout;
    if (layout === undefined || block.bytes.length < layout.size) {
      report('wrong-size', `${block.bytes.length} bytes, too few to be read`);
    } else section[content.key] = layout.read(block.bytes, 0, note);
    return;
  }
  const records = readRecords(block, content, note);
  counts[content.key] = records.length;
  const ordered = content.form === 'ring' ? inOrder(block, content.pointerBytes, records, report) : records;
  const kept = ordered.filter((record) => record !== undefined);
  const byTime = content.form === 'row' && content.byTime;
  section[content.key] = byTime ? (kept as Timed[]).sort((a, b) => a.time - b.time) : kept;
}

interface Timed {
  readonly time: number;
}

type CardRecord = object;

/** Every slot of the file; `undefined` if it is empty or the file is truncated before it. */
function readRecords(
  block: CardBlock,
  content: Exclude<Content, { form: 'one' | 'activities' }>,
  note: Note,
): (CardRecord | undefined)[] {
  const start = content.form === 'ring' ? content.pointerBytes : 0;
  const { layout } = content;
  const count = Math.max(0, Math.floor((block.length - start) / layout.size));
  const records: (CardRecord | undefined)[] = new Array(count);
  // Only used slots are reported.
  const notes: string[] = [];
  const keep: Note = (detail) => void notes.push(detail);
  for (let index = 0; index < count; index++) {
    const at = start + index * layout.size;
    if (at + layout.size > block.bytes.length || isBlank(block.bytes, at, layout.size)) continue;
    const record = layout.read(block.bytes, at, keep) as CardRecord;
    if (!content.isEmpty(record)) {
      records[index] = record;
      for (const detail of notes) note(detail);
    }
    notes.length = 0;
  }
  return records;
}

function isBlank(bytes: Uint8Array, at: number, size: number): boolean {
  for (let i = at; i < at + size; i++) if (bytes[i] !== 0) return false;
  return true;
}

/** Oldest first: the slot after the newest one is the oldest. */
function inOrder(
  block: CardBlock,
  pointerBytes: number,
  records: (CardRecord | undefined)[],
  report: Report,
): (CardRecord | undefined)[] {
  if (block.bytes.length < pointerBytes) return [];
  const pointer = pointerBytes === 1 ? block.bytes[0]! : (block.bytes[0]! << 8) | block.bytes[1]!;
  if (pointer >= records.length && records.length > 0) {
    report('bad-pointer', `record ${pointer} of ${records.length} is said to be the newest`);
    return records;
  }
  return [...records.slice(pointer + 1), ...records.slice(0, pointer + 1)];
}

/** The sizes determine the number of records; the counts on the card are only compared. */
function checkCounts(
  name: SectionName,
  application: ApplicationIdentification | undefined,
  counts: Readonly<Record<string, number>>,
  findings: Finding[],
): void {
  if (application === undefined) return;
  const announced: readonly (readonly [string, string, number | undefined])[] = [
    ['0504', 'activityBytes', application.activityBytes],
    ['0505', 'vehiclesUsed', application.vehicles],
    ['0506', 'places', application.places],
    ['0522', 'specificConditions', application.specificConditions],
    ['0523', 'vehicleUnitsUsed', application.vehicleUnits],
    ['0524', 'gnss', application.gnssRecords],
  ];
  for (const [fid, key, count] of announced) {
    const held = counts[key];
    if (count === undefined || held === undefined || count === held) continue;
    const detail = `the card announces ${count}, the file has room for ${held}`;
    findings.push({ code: 'count-mismatch', where: `${name}/${fid}`, detail });
  }
}
