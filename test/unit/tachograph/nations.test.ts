import { expect, test } from 'vitest';
import { countryCode } from '../../../src/server/tachograph/engine/nations.ts';

test('countries have the letters of Annex IC', () => {
  const codes = [0x1a, 0x1d, 0x1e, 0x26, 0x27, 0x28, 0x29, 0x2c, 0x2d, 0x2e, 0x15, 0x30, 0x34, 0x35, 0xff, 0xc0];
  expect(codes.map(countryCode).join(' ')).toBe('I KZ L NL P PL RO S SK SLO UK TR MNE SRB WLD #192');
});
