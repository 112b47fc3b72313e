import { expect, it } from 'vitest';
import { hmacHex } from '#codec';

it('agrees with RFC 4231, test case 2', () => {
  const whole = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
  expect(hmacHex('Jefe', 'what do ya want for nothing?')).toBe(whole);
  expect(hmacHex('Jefe', 'what do ya want for nothing?', 16)).toBe(whole.slice(0, 16));
});
