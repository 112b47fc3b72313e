import { type Field, type Report, type Table, tableOf } from '../../documents/report.ts';
import { eventName, purposeName } from '../engine/codes.ts';
import type {
  UnitCalibration,
  UnitControl,
  UnitDriver,
  UnitIncident,
  UnitLock,
  UnitOverspeed,
  UnitReport,
  UnitTimeAdjustment,
} from '../engine/reports/unit-report.ts';
import { clockAt, dateAt } from '../engine/timeline/zone.ts';
import type { FileRow } from '../files/store.ts';
import { sourceTable } from '../reports/about.ts';
import { type Language, labelsOf, legendOf } from '../reports/labels.ts';
import { controlText, type UnitLabels, unitLabelsOf } from './labels.ts';

interface Context {
  readonly words: UnitLabels;
  readonly language: Language;
  readonly moment: (seconds: number | null) => string;
}

/** Drivers, events and faults, overspeed, locks, calibrations, controls and times of a vehicle unit. */
export function unitDocument(
  unit: UnitReport,
  file: Pick<FileRow, 'name' | 'sha256' | 'verdict'>,
  { language, zone }: { readonly language: Language; readonly zone: string },
): Report {
  const words = unitLabelsOf(language);
  const moment = (seconds: number | null): string => {
    if (seconds === null) return '';
    const minute = Math.floor(seconds / 60);
    return `${dateAt(minute, zone)} ${clockAt(minute, zone)}`;
  };
  const context = { words, language, moment };
  const tables = [
    driverTable(unit.drivers, context),
    incidentTable(unit.events, context),
    overspeedTable(unit.overspeeds, context),
    lockTable(unit.companyLocks, context),
    calibrationTable(unit.calibrations, context),
    controlTable(unit.controls, context),
    timeTable(unit.timeAdjustments, context),
  ];
  return {
    title: words.title,
    language,
    legend: legendOf(labelsOf(language)),
    footer: `${labelsOf(language).footer} Fleetgate`,
    sections: [
      {
        title: `${words.vehicle}: ${unit.plate} (${unit.vin})`,
        facts: factsOf(unit, zone, context),
        // an empty one is said to be empty
        tables: [...tables.map((table) => orNone(table, words)), sourceTable([file], labelsOf(language))],
      },
    ],
  };
}

const orNone = (table: Table, { none }: UnitLabels): Table =>
  table.rows.length > 0 ? table : { ...table, title: `${table.title}: ${none}` };

/**
 * A serial number of 16 hexadecimal digits (ExtendedSerialNumber, Annex IC, appendix 1, 2.72) as it is on a plate: number,
 * month of manufacture; then the digits.
 */
export function serialText(hex: string): string {
  const [, number, month, year] = /^([0-9a-f]{8})(0[1-9]|1[0-2])([0-9]{2})[0-9a-f]{4}$/i.exec(hex) ?? [];
  return number === undefined ? hex : `${Number.parseInt(number, 16)} (${month}/20${year}) · ${hex}`;
}

function factsOf({ downloadedAt, identification, sensors }: UnitReport, zone: string, { words, moment }: Context) {
  const day = (seconds: number | null): string => moment(seconds).slice(0, 10);
  return [
    [words.downloaded, moment(downloadedAt)] as const,
    [words.zone, zone] as const,
    ...(identification === null
      ? []
      : ([
          [words.manufacturer, `${identification.manufacturer} ${identification.partNumber}`.trim()],
          [words.serial, serialText(identification.serialNumber)],
          [words.software, `${identification.softwareVersion} ${day(identification.softwareInstalledAt)}`.trim()],
          [words.approval, identification.approvalNumber],
        ] as const)),
    ...sensors.map(
      ({ serialNumber, approvalNumber, pairedAt }) =>
        [words.sensor, [serialText(serialNumber), approvalNumber, day(pairedAt)].filter(Boolean).join(' · ')] as const,
    ),
  ];
}

function driverTable(rows: readonly UnitDriver[], { words, moment }: Context): Table {
  const fields: Field<UnitDriver>[] = [
    { title: words.driver, kind: 'text', weight: 2, cell: ({ name }) => name },
    { title: words.card, kind: 'text', weight: 1.5, cell: ({ card }) => card },
    { title: words.slot, kind: 'text', weight: 0.5, cell: ({ slot }) => (slot === 'driver' ? '1' : '2') },
    { title: words.inserted, kind: 'date', weight: 1.3, cell: ({ from }) => moment(from) },
    { title: words.withdrawn, kind: 'date', weight: 1.3, cell: ({ to }) => moment(to) },
    { title: words.odometerFrom, kind: 'number', cell: ({ odometerFromKm }) => odometerFromKm },
    { title: words.odometerTo, kind: 'number', cell: ({ odometerToKm }) => odometerToKm },
    {
      title: 'Km',
      kind: 'number',
      weight: 0.6,
      cell: ({ odometerFromKm: from, odometerToKm: to }) => (from === null || to === null ? null : to - from),
    },
  ];
  return tableOf(words.drivers, fields, rows);
}

function incidentTable(rows: readonly UnitIncident[], { words, language, moment }: Context): Table {
  const fields: Field<UnitIncident>[] = [
    { title: words.from, kind: 'date', weight: 1.2, cell: ({ from }) => moment(from) },
    { title: words.to, kind: 'date', weight: 1.2, cell: ({ to }) => moment(to) },
    { title: words.kind, kind: 'text', weight: 0.7, cell: ({ kind }) => words[kind] },
    {
      title: words.code,
      kind: 'text',
      weight: 0.5,
      cell: ({ code }) => code.toString(16).padStart(2, '0').toUpperCase(),
    },
    { title: words.description, kind: 'text', weight: 3, cell: ({ code }) => eventName(code)[language] },
    { title: words.cards, kind: 'text', weight: 2, cell: ({ cards }) => cards.join(', ') },
    { title: words.similar, kind: 'number', weight: 0.6, cell: ({ similar }) => similar },
  ];
  return tableOf(words.events, fields, rows);
}

function overspeedTable(rows: readonly UnitOverspeed[], { words, moment }: Context): Table {
  const fields: Field<UnitOverspeed>[] = [
    { title: words.from, kind: 'date', weight: 1.2, cell: ({ from }) => moment(from) },
    { title: words.to, kind: 'date', weight: 1.2, cell: ({ to }) => moment(to) },
    { title: words.maximum, kind: 'number', cell: ({ maximumKmh }) => maximumKmh },
    { title: words.average, kind: 'number', cell: ({ averageKmh }) => averageKmh },
    { title: words.card, kind: 'text', weight: 1.5, cell: ({ card }) => card },
    { title: words.similar, kind: 'number', cell: ({ similar }) => similar },
  ];
  return tableOf(words.overspeeds, fields, rows);
}

function lockTable(rows: readonly UnitLock[], { words, moment }: Context): Table {
  const fields: Field<UnitLock>[] = [
    { title: words.company, kind: 'text', weight: 2, cell: ({ company }) => company },
    { title: words.address, kind: 'text', weight: 2.5, cell: ({ address }) => address },
    { title: words.locked, kind: 'date', weight: 1.2, cell: ({ lockedAt }) => moment(lockedAt) },
    { title: words.unlocked, kind: 'date', weight: 1.2, cell: ({ unlockedAt }) => moment(unlockedAt) },
  ];
  return tableOf(words.locks, fields, rows);
}

function calibrationTable(rows: readonly UnitCalibration[], { words, language, moment }: Context): Table {
  const fields: Field<UnitCalibration>[] = [
    { title: words.at, kind: 'date', weight: 1.2, cell: ({ at }) => moment(at) },
    { title: words.purpose, kind: 'text', weight: 1.4, cell: ({ purpose }) => purposeName(purpose)[language] },
    { title: words.workshop, kind: 'text', weight: 2, cell: ({ workshop }) => workshop },
    { title: words.card, kind: 'text', weight: 1.3, cell: ({ workshopCard }) => workshopCard },
    { title: 'Km', kind: 'number', weight: 0.7, cell: ({ odometerKm }) => odometerKm },
    { title: 'w', kind: 'number', weight: 0.5, cell: ({ w }) => w },
    { title: 'k', kind: 'number', weight: 0.5, cell: ({ k }) => k },
    { title: words.tyre, kind: 'text', weight: 1, cell: ({ tyreSize }) => tyreSize },
    { title: 'l (mm)', kind: 'number', weight: 0.7, cell: ({ tyreCircumferenceMm }) => tyreCircumferenceMm },
    { title: words.limit, kind: 'number', weight: 0.8, cell: ({ authorisedSpeedKmh }) => authorisedSpeedKmh },
    {
      title: words.next,
      kind: 'date',
      weight: 1,
      cell: ({ nextCalibrationAt }) => moment(nextCalibrationAt).slice(0, 10),
    },
  ];
  return tableOf(words.calibrations, fields, rows);
}

function controlTable(rows: readonly UnitControl[], { words, language, moment }: Context): Table {
  const fields: Field<UnitControl>[] = [
    { title: words.at, kind: 'date', cell: ({ at }) => moment(at) },
    { title: words.kind, kind: 'text', weight: 2, cell: ({ type }) => controlText(type, language) },
    { title: words.card, kind: 'text', weight: 1.5, cell: ({ card }) => card },
  ];
  return tableOf(words.controls, fields, rows);
}

function timeTable(rows: readonly UnitTimeAdjustment[], { words, moment }: Context): Table {
  const fields: Field<UnitTimeAdjustment>[] = [
    { title: words.oldTime, kind: 'date', cell: ({ from }) => moment(from) },
    { title: words.newTime, kind: 'date', cell: ({ to }) => moment(to) },
    { title: words.workshop, kind: 'text', weight: 2, cell: ({ workshop }) => workshop },
  ];
  return tableOf(words.times, fields, rows);
}
