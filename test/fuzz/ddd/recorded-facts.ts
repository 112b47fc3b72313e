import { fileOf } from '../../../src/server/tachograph/engine/card/files.ts';
import {
  type CardBlock,
  CardSplitter,
  isSignature,
  sectionOf,
} from '../../../src/server/tachograph/engine/card/tlv.ts';
import { parseTachograph } from '../../../src/server/tachograph/engine/index.ts';
import type { CardFile, TachographFile, VehicleUnitFile } from '../../../src/server/tachograph/engine/records.ts';
import { type UnitBlock, UnitSplitter } from '../../../src/server/tachograph/engine/vu/blocks.ts';

/** A fact that an undamaged file contains, and the offset of its last byte: damage behind it must not change it. */
export interface RecordedFact {
  readonly what: string;
  readonly end: number;
  /** @param from the first byte that is damaged, `end` or behind it */
  isIn(read: TachographFile | undefined, from: number): boolean;
}

/** By `end`. */
export function recordedFactsOf(bytes: Uint8Array): RecordedFact[] {
  const whole = parseTachograph(bytes);
  if (whole === undefined) throw new Error('not a download');
  const found = whole.kind === 'vehicle-unit' ? ofUnit(bytes, whole) : ofCard(bytes, whole);
  return found.sort((a, b) => a.end - b.end);
}

/** Deep equality; objects that files share are compared by identity first. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!isSame(a[i], b[i])) return false;
    return true;
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => isSame(a[key as never], b[key as never]));
}

function ofCard(bytes: Uint8Array, whole: CardFile): RecordedFact[] {
  const cutter = new CardSplitter(bytes);
  cutter.split(0);
  const last = new Map<string, CardBlock>();
  for (const block of cutter.blocks) if (!isSignature(block.type)) last.set(`${block.fid}/${block.type}`, block);
  return [...last.values()].flatMap((block) => {
    const section = sectionOf(block.type);
    const content = fileOf(section, block.fid)?.content;
    if (content === undefined) return [];
    const key = content.form === 'activities' ? 'days' : content.key;
    const place = `${section}/${block.fid}`;
    const expected = whole[section]?.[key];
    const read = (file: TachographFile | undefined): unknown =>
      file === undefined || file.kind === 'vehicle-unit' || isReplaced(file, place)
        ? REPLACED
        : (file[section]?.[key] ?? []);
    const all: RecordedFact = {
      what: place,
      end: block.offset + block.length,
      isIn: (file) => {
        const value = read(file);
        return value === REPLACED ? file !== undefined : isSame(value, expected ?? []);
      },
    };
    return content.form === 'activities' ? [all, ...ofRing(bytes, block, whole, read)] : [all];
  });
}

/** A damaged name can become that of an earlier file: the last one counts, and a finding reports it. */
const REPLACED = Symbol('replaced');
const isReplaced = (file: CardFile, place: string): boolean =>
  file.findings.some(({ code, where }) => code === 'duplicate' && where === place);

type Days = NonNullable<CardFile['gen1']>['days'];

/** The days of a ring one by one, found by an independent walk from the oldest on. */
function ofRing(
  bytes: Uint8Array,
  block: CardBlock,
  whole: CardFile,
  read: (file: TachographFile | undefined) => unknown,
): RecordedFact[] {
  const section = sectionOf(block.type);
  const days = endsOf(bytes, block, whole[section]?.days ?? []);
  const first = days[0];
  if (first === undefined) return [];
  const isIn: RecordedFact['isIn'] = (file, from) => {
    // Then the file as a whole is compared.
    if (from >= block.offset + block.length) return true;
    const value = read(file);
    if (value === REPLACED) return file !== undefined;
    const byDate = new Map((value as Days).map((day) => [day.date, day]));
    // A damaged date can be that of another day.
    const isPresent = (day: Days[number]): boolean =>
      isSame(byDate.get(day.date), day) || (value as Days).some((each) => isSame(each, day));
    return days.every(({ day, end }) => end > from || isPresent(day));
  };
  return [{ what: `a day of ${section}`, end: first.end, isIn }];
}

interface DayEnd {
  readonly day: Days[number];
  readonly end: number;
}

/** Dates that are in the ring once, with the last byte of each, in its order. */
function endsOf(bytes: Uint8Array, block: CardBlock, days: Days): DayEnd[] {
  const size = block.length - 4;
  const at = (offset: number): number => bytes[block.offset + 4 + (offset % size)]!;
  const u16 = (offset: number): number => at(offset) * 256 + at(offset + 1);
  const pointer = (offset: number): number => bytes[block.offset + offset]! * 256 + bytes[block.offset + offset + 1]!;
  const found: DayEnd[] = [];
  for (let start = pointer(0), walked = 0; walked < size; ) {
    const length = u16(start + 2);
    if (length < 14) break;
    const seconds = u16(start + 4) * 65_536 + u16(start + 6);
    const date = new Date(seconds * 1000).toISOString().slice(0, 10);
    const [day, second] = days.filter((each) => each.date === date);
    if (seconds % 86_400 === 0 && day !== undefined && second === undefined) {
      found.push({ day, end: block.offset + 4 + Math.min(size, start + length) });
    }
    walked += length;
    if (start === pointer(2)) break;
    start = (start + length) % size;
  }
  return found.sort((a, b) => a.end - b.end);
}

const LISTS = ['faults', 'events', 'overspeeds', 'timeAdjustments', 'speeds'] as const;
const ONES = { overview: 'overview', technical: 'technical', card: 'card', interface: 'interfaceVersion' } as const;

/** The blocks of a unit: what the file contains up to the end of each. */
function ofUnit(bytes: Uint8Array, whole: VehicleUnitFile): RecordedFact[] {
  const cutter = new UnitSplitter(bytes);
  cutter.split();
  let dayCount = 0;
  return cutter.blocks.map((block, index): RecordedFact => {
    const part = parseTachograph(bytes.subarray(0, block.end)) as VehicleUnitFile;
    const counts = Object.fromEntries(LISTS.map((key) => [key, part[key]?.length ?? 0]));
    const days = part.days?.slice(dayCount) ?? [];
    dayCount += days.length;
    const one = isLastOfItsKind(cutter.blocks, index) ? ONES[block.kind as keyof typeof ONES] : undefined;
    return {
      what: `${block.trep} at ${block.at}`,
      end: block.end,
      isIn: (file) => {
        if (file?.kind !== 'vehicle-unit') return false;
        const hasDays = days.every((day) => [...file.days, ...file.incompleteDays].some((each) => isSame(each, day)));
        const hasLists = LISTS.every((key) =>
          isSame(file[key].slice(0, counts[key]), whole[key].slice(0, counts[key])),
        );
        const isReplacedHere = file.findings.some(({ code, where }) => code === 'duplicate' && where === block.trep);
        return hasDays && hasLists && (one === undefined || isReplacedHere || isSame(file[one], whole[one]));
      },
    };
  });
}

const isLastOfItsKind = (blocks: readonly UnitBlock[], index: number): boolean =>
  blocks.findLastIndex(({ kind }) => kind === blocks[index]!.kind) === index;
