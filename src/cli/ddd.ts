import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import {
  type Activity,
  type ActivityChange,
  type CardFile,
  type CardSection,
  type CardSignatures,
  type PublicKey,
  parseTachograph,
  readRoot,
  type SignatureResult,
  type TachographFile,
  type UnitSignatures,
  type VehicleUnitFile,
  verifyTachograph,
} from '../server/tachograph/engine/index.ts';
import { describeRules, rulesOf, summaryOfRules } from './ddd-rules.ts';
import { writeJsonLine } from './lines.ts';
import { UsageError } from './usage.ts';

export function register(program: Command): void {
  program
    .command('ddd')
    .description('decode a tachograph file of a driver card or vehicle unit and verify its signatures')
    .argument('<file>', 'tachograph file: .ddd, .esm, .tgd, .c1b, .v1b')
    .option('--json', 'write one JSON object to stdout')
    .option('--root <file...>', 'trusted root certificate: EC_PK.bin of generation 1, or a certificate of generation 2')
    .action(async (path: string, options: { readonly json?: true; readonly root?: readonly string[] }) => {
      const roots = await Promise.all((options.root ?? []).map(rootAt));
      const bytes = await bytesAt(path);
      const file = parseTachograph(bytes);
      if (file === undefined) throw new UsageError(`${path} is not a tachograph file`);
      const results = verifyTachograph(bytes, roots);
      const rules = rulesOf(file, bytes);
      if (options.json) await writeJsonLine({ ...describe(file, results), ...describeRules(rules) });
      else process.stdout.write(`${[...summary(file, results), ...summaryOfRules(rules)].join('\n')}\n`);
    });
}

async function bytesAt(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

async function rootAt(path: string): Promise<PublicKey> {
  const root = readRoot(await bytesAt(path));
  if (root === undefined) throw new UsageError(`${path} is not a root certificate of generation 1 or 2`);
  return root;
}

/** The object that `ddd --json` prints, without the results of rules. */
export function describe(file: TachographFile, results: CardSignatures | UnitSignatures): Record<string, unknown> {
  return file.kind === 'vehicle-unit'
    ? describeUnit(file, results as UnitSignatures)
    : describeCard(file, results as CardSignatures);
}

function describeCard(card: CardFile, results: CardSignatures): Record<string, unknown> {
  const holder = card.gen2?.identification ?? card.gen1?.identification;
  return {
    kind: card.kind,
    generations: card.generations,
    holder: holder && { surname: holder.surname, firstNames: holder.firstNames },
    cardNumber: holder?.cardNumber,
    issuingNation: holder?.nation,
    expiry: timeOf(holder?.expiry),
    sections: {
      ...(card.gen1 && { gen1: describeSection(card.gen1, results.gen1) }),
      ...(card.gen2 && { gen2: describeSection(card.gen2, results.gen2) }),
    },
    damage: card.findings,
  };
}

function describeSection(section: CardSection, results: readonly SignatureResult[] = []): Record<string, unknown> {
  const { days, generation: _generation, ...rest } = section;
  return {
    days: days.map(({ date, distanceKm, changes }) => ({
      date,
      distanceKm,
      changes: changes.length,
      minutes: minutesOf(changes),
    })),
    signatures: results,
    ...rest,
  };
}

/** The words by their activity bits, the last of them to 24:00; only a timeline knows what is unknown. */
function minutesOf(changes: readonly ActivityChange[]): Record<Activity, number> {
  const minutes = { rest: 0, availability: 0, work: 0, driving: 0 };
  for (const [index, { activity, minute }] of changes.entries()) {
    minutes[activity] += Math.max(0, (changes[index + 1]?.minute ?? 1440) - minute);
  }
  return minutes;
}

function describeUnit(unit: VehicleUnitFile, results: UnitSignatures): Record<string, unknown> {
  const { days, incompleteDays, speeds, card, findings, ...rest } = unit;
  return {
    ...rest,
    days: days.map((day) => ({
      date: day.date,
      odometerAtMidnightKm: day.odometerAtMidnightKm,
      changes: day.changes.length,
      cardInsertions: day.insertions.length,
      insertions: day.insertions,
      places: day.places,
      gnss: day.gnss,
      specificConditions: day.specificConditions,
      borderCrossings: day.borderCrossings,
      loadUnloads: day.loadUnloads,
    })),
    incompleteDays: incompleteDays.map(({ date }) => date),
    speedMinutes: speeds.length,
    signatures: results.blocks,
    ...(card && { card: describeCard(card, results.card ?? {}) }),
    damage: findings,
  };
}

const timeOf = (seconds: number | null | undefined): string | null =>
  seconds === null || seconds === undefined ? null : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

function summary(file: TachographFile, results: CardSignatures | UnitSignatures): string[] {
  const signatures = 'blocks' in results ? results.blocks : [...(results.gen1 ?? []), ...(results.gen2 ?? [])];
  const counted = new Map<string, number>();
  for (const { verdict } of signatures) counted.set(verdict, (counted.get(verdict) ?? 0) + 1);
  return [
    `${file.kind}, ${file.generations.join(' and ')}`,
    ...(file.kind === 'vehicle-unit' ? aboutUnit(file) : aboutCard(file)),
    `signatures  ${[...counted].map(([verdict, count]) => `${count} ${verdict}`).join(', ') || 'none'}`,
    ...file.findings.map(({ where, detail }) => `damage      ${where}: ${detail}`),
  ];
}

function aboutCard(card: CardFile): string[] {
  const holder = card.gen2?.identification ?? card.gen1?.identification;
  return [
    `holder      ${holder?.surname ?? ''} ${holder?.firstNames ?? ''}, card ${holder?.cardNumber ?? 'unknown'}`,
    `days        ${spanOf((card.gen2?.days.length ? card.gen2 : card.gen1)?.days ?? [])}`,
  ];
}

function aboutUnit(unit: VehicleUnitFile): string[] {
  return [
    `vehicle     ${unit.overview?.vehicle.number ?? 'unknown'}, VIN ${unit.overview?.vin ?? 'unknown'}`,
    `days        ${spanOf(unit.days)}`,
  ];
}

const spanOf = (days: readonly { readonly date: string }[]): string =>
  days.length === 0 ? 'none' : `${days.length}, ${days[0]?.date} to ${days.at(-1)?.date}`;
