import type { Draft, Reader } from '#codec';
import { attr, bits, fix, layout, number, setValid, skip, text, u8, u16, u24 } from '#codec/binary';

/** GPS time without leap seconds: since this day. */
export const EPOCH = Date.UTC(1980, 0, 6);
const HOUR_MS = 3_600_000;

/** Protocol K. The voltages are those of X: fifths of a volt, and percent of the battery. */
const RECORD = layout([
  skip(1),
  fix.coordinates('i32', 1e6),
  fix.time('u32', 1000, EPOCH),
  setValid(true),
  fix.speed('u8', { factor: 2 }),
  fix.course('u8', { factor: 2 }),
  u24('event'),
  u16('status'),
  u8('io1'),
  u8('adc1'),
  u8('batteryLevel'),
  u8('power', { divisor: 5 }),
  skip(1 + 6),
  u16('tripOdometer', { factor: 100 }),
  skip(2),
  fix.altitude('u8', { factor: 20 }),
  number('u8', bits(0x0f, 0, attr('sat')), bits(0xf0, 4, attr('rssi'))),
  skip(1),
]);

const DRIVER = layout([
  text('driverUniqueId', 7, { trim: true }),
  u24('odometer', { factor: 1000 }),
  u16('hours', { factor: HOUR_MS }),
]);

const HAS_EXTENSION = 0x40;
const HAS_DRIVER = 0x0100;

/** False if data follow whose size is not known. */
export function readOldRecord(reader: Reader, draft: Draft): boolean {
  RECORD(reader, draft);
  const status = Number(draft.attributes['status']);
  if ((status & HAS_DRIVER) !== 0) DRIVER(reader, draft);
  return (status & HAS_EXTENSION) === 0;
}
