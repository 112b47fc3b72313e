import { expect, test } from 'vitest';
import { nameOf, type Registration } from '../../../src/server/tachograph/downloads/names.ts';
import type { FileRow } from '../../../src/server/tachograph/files/store.ts';

const downloadedAt = Date.parse('2026-03-06T20:05:00Z');
const card = { kind: 'driver-card', nation: 15, cardNumber: 'E34885608J000002', downloadedAt } as FileRow;
const unit = { kind: 'vehicle-unit', nation: null, plate: 'AB123CD', vin: 'ZCFC1', downloadedAt } as FileRow;

const french = (row: FileRow, registration?: Registration): string => nameOf(row, 'c1b-v1b', registration);

test('French names have fixed lengths: country, card or plate, time', () => {
  expect(french(card)).toBe('E__E34885608J00002603062005.C1B');
  expect(french({ ...card, nation: 46 })).toBe('SLOE34885608J00002603062005.C1B');
  expect(french(unit, { nation: 26, number: 'AB-123-CD' })).toBe('I__AB_123_CD____2603062005.V1B');
  expect(french(unit, { nation: 18, number: 'wü 1' })).toBe('FINW__1_________2603062005.V1B');
  for (const name of [french(card), french({ ...card, nation: 255 })]) expect(name).toHaveLength(27 + 4);
});

test('French names of units without a country have it empty', () => {
  expect(french(unit)).toBe('___AB123CD______2603062005.V1B');
  expect(french(unit, { nation: 0, number: 'AB 123 CD' })).toBe('___AB_123_CD____2603062005.V1B');
  expect(french(unit, { nation: 200, number: '' })).toHaveLength(26 + 4);
});

test('Spanish names have card or plate before the time', () => {
  expect(nameOf(card, 'tgd')).toBe('C_E34885608J000002_E_20260306_2005.TGD');
  expect(nameOf(unit, 'tgd')).toBe('V_AB123CD_E_20260306_2005.TGD');
});

test('standard names begin with the time', () => {
  expect(nameOf(card, 'standard')).toBe('C_20260306_2005_E34885608J000002.ddd');
  expect(nameOf(unit, 'standard')).toBe('M_20260306_2005_AB123CD_ZCFC1.ddd');
});
