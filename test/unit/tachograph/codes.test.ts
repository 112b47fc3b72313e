import { expect, test } from 'vitest';
import { eventName } from '../../../src/server/tachograph/engine/codes.ts';

test('events and faults have the names of EventFaultType, Annex IC appendix 1, 2.70', () => {
  expect(eventName(0x04)).toEqual({ it: 'guida senza carta appropriata', en: 'driving without an appropriate card' });
  // '80'H to 'FF'H are specific to manufacturers; between the lists codes are reserved
  expect([0x80, 0xff].map((code) => eventName(code).en)).toEqual([
    'specific to the manufacturer (0x80)',
    'specific to the manufacturer (0xFF)',
  ]);
  expect(eventName(0x7f)).toEqual({ it: 'codice 0x7F', en: 'code 0x7F' });
});
