import { z } from 'zod';
import { countryCode } from '../engine/nations.ts';
import type { FileRow } from '../files/store.ts';

export const naming = z
  .enum(['original', 'standard', 'c1b-v1b', 'tgd'])
  .default('original')
  .describe('standard: C_… and M_… by day and card or plate (.ddd); c1b-v1b: as in France; tgd: as in Spain');
export type Naming = z.output<typeof naming>;

/** The vehicle as its unit writes it. */
export interface Registration {
  readonly nation: number;
  readonly number: string;
}

/** By the conventions of the countries, without the driver's name. */
export function nameOf(row: FileRow, convention: Naming, registration?: Registration): string {
  switch (convention) {
    case 'original':
      return row.name;
    case 'standard':
      return standard(row);
    case 'tgd':
      return spanish(row);
    case 'c1b-v1b':
      return french(row, registration);
  }
}

const isUnit = ({ kind }: FileRow): boolean => kind === 'vehicle-unit';
const plain = (text: string | null): string => (text ?? '').normalize('NFD').replace(/[^A-Za-z0-9]/g, '');

/** `['20260313', '2000']`, UTC */
function stampOf({ downloadedAt, uploadedAt }: FileRow): readonly [date: string, time: string] {
  const stamp = new Date(downloadedAt ?? uploadedAt).toISOString();
  return [stamp.slice(0, 10).replaceAll('-', ''), stamp.slice(11, 16).replace(':', '')];
}

/** `C_20260313_2000_I000000012345600.ddd`, as readers and download keys name files. */
function standard(row: FileRow): string {
  const whose = isUnit(row) ? [row.plate, row.vin] : [row.cardNumber];
  return `${[isUnit(row) ? 'M' : 'C', ...stampOf(row), ...whose.map(plain).filter(Boolean)].join('_')}.ddd`;
}

/** `C_I000000012345600_E_20260313_2000.TGD` */
function spanish(row: FileRow): string {
  const whose = plain(isUnit(row) ? row.plate : row.cardNumber);
  return `${[isUnit(row) ? 'V' : 'C', whose, 'E', ...stampOf(row)].filter(Boolean).join('_')}.TGD`;
}

/**
 * Arrêté du 6 juillet 2005 (EQUT0500817A), article 2: country in 3 characters, plate in 13 or the first 14 of the card's
 * number, `yymmddhhmm`; `_` pads, and replaces each character that is neither a digit nor an upper-case letter.
 */
function french(row: FileRow, registration?: Registration): string {
  const [date, time] = stampOf(row);
  const field = (text: string, length: number): string =>
    text
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '_')
      .slice(0, length)
      .padEnd(length, '_');
  const country = (nation: number | null): string => field(lettersOf(nation), 3);
  const stamp = `${date}${time}`.slice(2);
  if (!isUnit(row)) return `${country(row.nation)}${field(row.cardNumber ?? '', 14)}${stamp}.C1B`;
  return `${country(registration?.nation ?? null)}${field(registration?.number || row.plate || '', 13)}${stamp}.V1B`;
}

/** Empty if the file has no country: units of generation 2 version 1 write the plate alone. */
function lettersOf(nation: number | null): string {
  const letters = nation === null ? '' : countryCode(nation);
  return /^[A-Z]+$/.test(letters) ? letters : '';
}
