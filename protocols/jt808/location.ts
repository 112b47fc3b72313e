import {
  bcdTime,
  choose,
  type Field,
  type FieldList,
  layout,
  ofBytes,
  type Position,
  type Reader,
  skip,
  tags,
  toFix,
  u8,
  u16,
  u32,
  word,
} from '#codec';
import { type Dialect, type Extent, type ItemLists, Report } from './report.ts';

const ITEM = { id: 'u8', length: 'u8', lengths: 'loose' } as const;

/** In batches too, two bytes behind the items belong to none. */
export const itemLists = (table: Readonly<Record<number, FieldList | undefined>>): ItemLists => ({
  message: tags({ ...ITEM, table, behind: 2, least: 1 }),
  part: tags({ ...ITEM, table, least: 3 }),
});

const [IGNITION, VALID, SOUTH, WEST, BLOCKED, CHARGE] = [0x01, 0x02, 0x04, 0x08, 0x400, 0x400_0000];

/** u32 flags, u32 latitude and longitude in millionths of a degree (JT/T 808, table 23 and 24). */
export const STATUS: Field<Report> = ({ reader, into }) => {
  const { attributes, model } = into;
  const flags = reader.u32();
  const latitude = reader.u32() / 1e6;
  const longitude = reader.u32() / 1e6;
  into.valid = (flags & VALID) !== 0;
  into.latitude = (flags & SOUTH) !== 0 ? 0 - latitude : latitude;
  into.longitude = (flags & WEST) !== 0 ? 0 - longitude : longitude;
  attributes['ignition'] = (flags & IGNITION) !== 0;
  attributes['blocked'] = (flags & BLOCKED) !== 0;
  attributes['charge'] = (flags & CHARGE) !== 0;
  for (const [mask, key] of model.statusBits) attributes[key] = (flags & mask) !== 0;
};

/** Status, altitude, speed, course and time, as in a location. */
export const FIX: FieldList<Report> = [
  STATUS,
  word('i16', toFix('altitude')),
  word('u16', toFix('speed', { per: 10 })),
  word('u16', toFix('course')),
  bcdTime('fix'),
];

/** What some send instead of items: exactly this many bytes, checksum and delimiter included. */
const FIXED_TAIL_BYTES = 20;
const FIXED_TAIL: FieldList = [
  skip(4),
  u32('odometer', { times: 1000 }),
  u16('battery', { per: 10 }),
  skip(4),
  u8('rssi'),
];

const location = (extent: Extent) =>
  layout<Report>([
    (scope) => scope.into.model.alarms(scope),
    FIX,
    choose<Report>([[ofBytes(FIXED_TAIL_BYTES), FIXED_TAIL]], (scope) => scope.into.model.items[extent](scope)),
  ]);

const LOCATIONS = { message: location('message'), part: location('part') } as const;

/** Body of 0200 up to the reader's end. Throws CodecError `truncated` where it ends before the items. */
export function readLocation(r: Reader, { model, zone }: Dialect, extent: Extent, archive = false): Position {
  const report = new Report(model);
  if (archive) report.attributes['archive'] = true;
  LOCATIONS[extent](r, report, zone);
  return report.toPosition();
}
