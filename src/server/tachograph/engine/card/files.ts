import { type Layout, time } from '../layout/layout.ts';
import { place, placeWithGnss, specificCondition } from '../layout/shared.ts';
import type { CardSection } from '../records.ts';
import * as is from './layouts.ts';

export type SectionName = 'gen1' | 'gen2';

/** Lists of records, and the other members of a section. */
type Lists = {
  [K in keyof CardSection]: CardSection[K] extends readonly (infer R extends object)[] ? R : never;
};
type ListKey = { [K in keyof Lists]-?: Lists[K] extends never ? never : K }[keyof Lists];

/** One record. */
interface One {
  readonly form: 'one';
  readonly key: keyof CardSection;
  readonly layout: Layout<unknown>;
}

/** Records in sets (`set` of them a kind) or in a row, without a pointer: empty slots lie between them. */
interface Row {
  readonly form: 'row';
  readonly key: ListKey;
  readonly layout: Layout<unknown>;
  readonly count: number;
  readonly set?: number;
  /** Records in a row without a pointer are cyclic: only their times give the order. */
  readonly byTime?: true;
  /** of a record that `layout` has read */
  isEmpty(record: object): boolean;
}

/** A ring of records after the index of the newest one. */
interface Ring {
  readonly form: 'ring';
  readonly key: ListKey;
  readonly pointerBytes: 1 | 2;
  readonly layout: Layout<unknown>;
  readonly count: number;
  /** of a record that `layout` has read */
  isEmpty(record: object): boolean;
}

export type Content = One | Row | Ring | { readonly form: 'activities' };

export interface ElementaryFile {
  readonly fid: string;
  readonly title: string;
  readonly signed: boolean;
  readonly content: Content;
}

const one = (key: keyof CardSection, layout: Layout<unknown>): One => ({ form: 'one', key, layout });

const noTime = (record: { time: number }): boolean => record.time === 0;
const noBegin = (record: { begin: number }): boolean => record.begin === 0;
const noUse = (record: { firstUse: number }): boolean => record.firstUse === 0;
const noFix = (record: { gnss: { time: number | null } }): boolean => record.gnss.time === null;

function ring<T extends object>(
  key: ListKey,
  layout: Layout<T>,
  count: number,
  isEmpty: (record: T) => boolean,
  pointerBytes: 1 | 2 = 2,
): Ring {
  return { form: 'ring', key, layout: layout as Layout<unknown>, count, isEmpty, pointerBytes };
}

const sets = (key: ListKey, kinds: number, set: number): Row => ({
  form: 'row',
  key,
  layout: is.event as Layout<unknown>,
  count: kinds * set,
  set,
  isEmpty: noBegin,
});

const file = (fid: string, title: string, content: Content, signed = true): ElementaryFile => ({
  fid,
  title,
  content,
  signed,
});

const activities: Content = { form: 'activities' };

/** The files of a driver card, in the order of a download; counts are those of a card of full size. */
export const FILES: Readonly<Record<SectionName, readonly ElementaryFile[]>> = {
  gen1: [
    file('0501', 'Application_Identification', one('application', is.application)),
    file('0520', 'Identification', one('identification', is.driverIdentification)),
    file('050E', 'Card_Download', one('lastDownload', time), false),
    file('0521', 'Driving_Licence_Info', one('drivingLicence', is.drivingLicence)),
    file('0502', 'Events_Data', sets('events', 6, 12)),
    file('0503', 'Faults_Data', sets('faults', 2, 24)),
    file('0504', 'Driver_Activity_Data', activities),
    file('0505', 'Vehicles_Used', ring('vehiclesUsed', is.vehicleUse, 200, noUse)),
    file('0506', 'Places', ring('places', place, 112, noTime, 1)),
    file('0507', 'Current_Usage', one('currentUsage', is.currentUsage)),
    file('0508', 'Control_Activity_Data', one('control', is.control)),
    file('0522', 'Specific_Conditions', {
      form: 'row',
      key: 'specificConditions',
      layout: specificCondition as Layout<unknown>,
      count: 56,
      byTime: true,
      isEmpty: noTime,
    }),
  ],
  gen2: [
    file('0501', 'Application_Identification', one('application', is.applicationG2)),
    file('0520', 'Identification', one('identification', is.driverIdentification)),
    file('0521', 'Driving_Licence_Info', one('drivingLicence', is.drivingLicence)),
    file('0502', 'Events_Data', sets('events', 11, 12)),
    file('0503', 'Faults_Data', sets('faults', 2, 24)),
    file('0504', 'Driver_Activity_Data', activities),
    file('0505', 'Vehicles_Used', ring('vehiclesUsed', is.vehicleUseG2, 200, noUse)),
    file('0506', 'Places', ring('places', placeWithGnss, 112, noTime)),
    file('0507', 'Current_Usage', one('currentUsage', is.currentUsage)),
    file('0508', 'Control_Activity_Data', one('control', is.control)),
    file('0522', 'Specific_Conditions', ring('specificConditions', specificCondition, 112, noTime)),
    file('0523', 'VehicleUnits_Used', ring('vehicleUnitsUsed', is.vehicleUnitUse, 200, noTime)),
    file('0524', 'GNSS_Places', ring('gnss', is.gnssRecord, 336, noTime)),
    file('0525', 'Application_Identification_V2', one('applicationV2', is.applicationV2)),
    file('0526', 'Places_Authentication', ring('placeAuthentications', is.authenticationStatus, 112, noTime)),
    file('0527', 'GNSS_Places_Authentication', ring('gnssAuthentications', is.authenticationStatus, 336, noTime)),
    file('0528', 'Border_Crossings', ring('borderCrossings', is.borderCrossing, 1120, noFix)),
    file('0529', 'Load_Unload_Operations', ring('loadUnloads', is.loadUnload, 1624, noTime)),
    file('0530', 'Load_Type_Entries', ring('loadTypes', is.loadType, 336, noTime)),
    file('050E', 'Card_Download', one('lastDownload', time), false),
  ],
};

/** Of generation 2, those that came with version 2. */
export const VERSION_2: ReadonlySet<string> = new Set(['0525', '0526', '0527', '0528', '0529', '0530']);

/** Files that are known, but hold no records that are read here. Sizes of certificates vary with their curve. */
export const OTHER_FILES: ReadonlyMap<string, string> = new Map([
  ['0002', 'ICC'],
  ['0005', 'IC'],
  ['C100', 'Card_Certificate'],
  ['C101', 'CardSignCertificate'],
  ['C108', 'CA_Certificate'],
  ['C109', 'Link_Certificate'],
  // of Russian cards
  ['C209', 'Certificate of GOST R 34.10'],
  ['0540', 'VU_Configuration'],
  ['0509', 'Card_Download'],
  ['050A', 'Calibration'],
  ['050B', 'Sensor_Installation_Data'],
  ['050C', 'Controller_Activity_Data'],
  ['050D', 'Company_Activity_Data'],
  ['0531', 'Calibration_Add_Data'],
]);

const byFid = {
  gen1: new Map(FILES.gen1.map((known) => [known.fid, known])),
  gen2: new Map(FILES.gen2.map((known) => [known.fid, known])),
};

export const fileOf = (section: SectionName, fid: string): ElementaryFile | undefined => byFid[section].get(fid);

export const isKnown = (fid: string): boolean => byFid.gen2.has(fid) || OTHER_FILES.has(fid);

/** Whether a file of this name may be this long: distinguishes headers from other bytes. */
export function mayBeLong(fid: string, type: number, length: number): boolean {
  if (type > 3) return type === 0x81 || type === 0x83 ? length >= 64 && length <= 132 : false;
  if (type === 1) return length === 128;
  if (type === 3) return length >= 64 && length <= 132;
  if (fid === '0002') return length === 25;
  if (fid === '0005') return length === 8;
  if (fid.startsWith('C1')) return type === 0 ? length === 194 : length >= 150 && length <= 400;
  const content = fileOf(type === 0 ? 'gen1' : 'gen2', fid)?.content;
  if (content === undefined) return length > 0;
  if (content.form === 'activities') return length > 18;
  if (content.key === 'identification') return is.identifications.has(length);
  if (content.form === 'one') return length === content.layout.size;
  const records = content.form === 'ring' ? length - content.pointerBytes : length;
  return records > 0 && records % content.layout.size === 0;
}
