import { expect, test } from 'vitest';
import { serialText } from '../../../src/server/tachograph/units/document.ts';

test('a serial number is printed as number and month, beside its digits', () => {
  // 777, February 2026, type 06, manufacturer a1
  expect(serialText('00000309022606a1')).toBe('777 (02/2026) · 00000309022606a1');
  expect(serialText('ffffffff129906a1')).toBe('4294967295 (12/2099) · ffffffff129906a1');
});

test('what names no month is printed as it is', () => {
  for (const hex of ['00000309132606a1', '000003090a2606a1', '', 'X']) expect(serialText(hex)).toBe(hex);
});
