import { readCard } from '../card/parse.ts';
import { dayOfUnit, ignoreReport, type Report, sortChanges } from '../layout/days.ts';
import type { Note } from '../layout/layout.ts';
import type { Finding, Generation, VehicleUnitFile, VuDay, VuOverview, VuTechnical } from '../records.ts';
import {
  MEMBER_STATE_CERTIFICATE,
  type Part,
  SIGNATURE,
  UNIT_CERTIFICATE,
  type UnitBlock,
  UnitSplitter,
} from './blocks.ts';
import { layoutOf, RECORD_TYPES, type RecordName, type Records } from './layouts.ts';

/** Reads a unit's file. Never throws; damage is reported in `findings`. */
export function parseVehicleUnit(bytes: Uint8Array): VehicleUnitFile {
  const cutter = new UnitSplitter(bytes);
  cutter.split();
  return new UnitReader(bytes, cutter.findings).read(cutter.blocks);
}

const NOT_RECORDS: ReadonlySet<number> = new Set([SIGNATURE, MEMBER_STATE_CERTIFICATE, UNIT_CERTIFICATE]);

/** Records of one block by name. */
type Held = { readonly [K in RecordName]?: readonly Records[K][] };

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer R)[] ? R[] : T[K] };

class UnitReader {
  readonly #bytes: Uint8Array;
  readonly #findings: Finding[];
  readonly #file: Mutable<VehicleUnitFile>;
  readonly #whole = new Set<UnitBlock['kind']>();

  constructor(bytes: Uint8Array, splitFindings: readonly Finding[]) {
    this.#bytes = bytes;
    this.#findings = [...splitFindings];
    this.#file = {
      kind: 'vehicle-unit',
      generations: [],
      days: [],
      incompleteDays: [],
      faults: [],
      events: [],
      overspeeds: [],
      timeAdjustments: [],
      speeds: [],
      findings: this.#findings,
    };
  }

  read(blocks: readonly UnitBlock[]): VehicleUnitFile {
    for (const block of blocks) this.#readBlock(block);
    this.#file.generations = generationsOf(blocks);
    return this.#file;
  }

  #readBlock(block: UnitBlock): void {
    const file = this.#file;
    const report = this.#reporter(block);
    if (block.kind === 'interface') {
      // It comes first: later, four bytes of a damaged block can look like one.
      file.interfaceVersion ??= Buffer.from(this.#bytes.subarray(block.at + 2, block.at + 4)).toString('hex');
      return;
    }
    if (block.kind === 'card') {
      if (file.card !== undefined) report('duplicate', 'a card comes again: the last one counts');
      file.card = readCard(block.card ?? [], []);
      this.#findings.push(...file.card.findings);
      return;
    }
    const held = this.#records(block);
    if (block.kind === 'day') this.#addDay(block, held, report);
    else if (block.kind === 'overview') {
      const isWhole = block.complete && held.vin !== undefined;
      if (this.#counts('overview', isWhole, file.overview !== undefined, report)) file.overview = overviewOf(held);
    } else if (block.kind === 'technical') {
      const isWhole = block.complete && held.identification !== undefined;
      if (this.#counts('technical', isWhole, file.technical !== undefined, report)) file.technical = technicalOf(held);
    } else if (block.kind === 'speeds') append(file.speeds, held.speeds);
    else this.#addEvents(held);
  }

  /** Of blocks of a kind that occurs once the last one counts, but not a damaged one after an intact one. */
  #counts(kind: 'overview' | 'technical', isWhole: boolean, isRepeated: boolean, report: Report): boolean {
    const isLeftOut = !isWhole && this.#whole.has(kind);
    if (isWhole) this.#whole.add(kind);
    if (isRepeated) report('duplicate', `comes again: ${isLeftOut ? 'the whole one counts' : 'the last one counts'}`);
    return !isLeftOut;
  }

  #addEvents(held: Held): void {
    const file = this.#file;
    append(file.faults, held.faults);
    append(file.events, held.events);
    append(file.overspeeds, held.overspeeds);
    append(file.timeAdjustments, held.timeAdjustments);
    const control = held.overspeedControl?.[0];
    if (control !== undefined) file.overspeedControl = control;
  }

  #addDay(block: UnitBlock, held: Held, report: Report): void {
    const date = dayOfUnit(held.date?.[0] ?? 0, report);
    if (date === undefined) return;
    const day: VuDay = {
      date,
      generation: block.generation,
      odometerAtMidnightKm: held.odometerAtMidnightKm?.[0] ?? null,
      insertions: held.insertions ?? [],
      changes: sortChanges([...(held.changes ?? [])], date, report),
      places: held.places ?? [],
      gnss: held.gnss ?? [],
      specificConditions: held.specificConditions ?? [],
      borderCrossings: held.borderCrossings ?? [],
      loadUnloads: held.loadUnloads ?? [],
    };
    (block.complete ? this.#file.days : this.#file.incompleteDays).push(day);
  }

  #records(block: UnitBlock): Held {
    const held: Partial<Record<RecordName, unknown[]>> = {};
    const report = this.#reporter(block);
    for (const part of block.parts) {
      if (NOT_RECORDS.has(part.type) || part.count === 0) continue;
      const name = RECORD_TYPES.get(part.type);
      const layout = name && layoutOf(block.generation === 'G1', name, part.size);
      if (name === undefined || layout === undefined) {
        const type = part.type.toString(16).padStart(2, '0');
        report('unknown-block', `${part.count} records of type ${type} and ${part.size} bytes are not read`);
      } else {
        held[name] ??= [];
        append(held[name], this.#readPart(part, layout, report));
      }
    }
    return held as Held;
  }

  #readPart(part: Part, layout: NonNullable<ReturnType<typeof layoutOf>>, report: Report): unknown[] {
    const note: Note = (detail) => report(detail.startsWith('code page') ? 'code-page' : 'damaged', detail);
    const noteOf = layout.size > 2 ? note : ignoreReport;
    return Array.from({ length: part.count }, (_, index) =>
      layout.read(this.#bytes, part.at + index * part.size, noteOf),
    );
  }

  /** Identical notes of a block are reported once. */
  #reporter(block: UnitBlock): Report {
    let reportedNotes: Set<string> | undefined;
    return (code, detail) => {
      reportedNotes ??= new Set();
      if (reportedNotes.has(detail)) return;
      reportedNotes.add(detail);
      this.#findings.push({ code, where: block.trep, offset: block.at, detail });
    };
  }
}

/** A loop, as a block may hold more records than a call may have arguments. */
function append<T>(list: T[], more: readonly T[] | undefined): void {
  for (const record of more ?? []) list.push(record);
}

function generationsOf(blocks: readonly UnitBlock[]): Generation[] {
  const found = new Set<Generation>();
  for (const { kind, trep, generation } of blocks) {
    // 7624 is the same in both versions, and a card is not of the unit's generation.
    if (kind !== 'card' && trep !== '7624') found.add(generation);
  }
  if (found.size === 0 && blocks.some(({ trep }) => trep === '7624')) found.add('G2v1');
  return [...found];
}

function overviewOf(held: Held): VuOverview {
  return {
    vin: held.vin?.[0] ?? '',
    vehicle: held.vehicle?.[0] ?? { nation: 0, number: '' },
    currentTime: held.currentTime?.[0] ?? null,
    ...(held.period?.[0] ?? { downloadableFrom: null, downloadableTo: null }),
    ...(held.slots?.[0] ?? { driverSlot: 0, coDriverSlot: 0 }),
    previousDownload: held.previousDownload?.[0] ?? null,
    companyLocks: held.companyLocks ?? [],
    controls: held.controls ?? [],
  };
}

function technicalOf(held: Held): VuTechnical {
  return {
    identification: held.identification?.[0] ?? null,
    sensors: held.sensors ?? [],
    externalGnss: held.externalGnss ?? [],
    calibrations: held.calibrations ?? [],
    cards: held.cards ?? [],
    itsConsents: held.itsConsents ?? [],
    powerInterruptions: held.powerInterruptions ?? [],
  };
}
