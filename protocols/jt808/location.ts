import { Draft, type Position, type Reader } from '#codec';
import { choose, type FieldList, layout, tags } from '#codec/binary';
import { FIX, FIXED_TAIL, hasFixedTail } from './items/fix.ts';
import type { Dialect, Extent, ItemLists, Model, Report } from './report.ts';

class ModelDraft extends Draft implements Report {
  readonly model: Model;
  isDropped = false;

  constructor(model: Model) {
    super();
    this.model = model;
  }
}

export const newReport = (model: Model): Report => new ModelDraft(model);

const ITEM = { id: 'u8', length: 'u8' } as const;

/** In batches too, two bytes behind the items belong to none. */
export const itemLists = (table: Readonly<Record<number, FieldList | undefined>>): ItemLists => ({
  message: tags({ ...ITEM, table, trailingBytes: 2, minBytes: 1 }),
  part: tags({ ...ITEM, table, minBytes: 3 }),
});

const location = (extent: Extent) =>
  layout<Report>([
    (scope) => scope.into.model.alarms(scope),
    FIX,
    choose<Report>([[hasFixedTail, FIXED_TAIL]], (scope) => scope.into.model.items[extent](scope)),
  ]);

const LOCATIONS = { message: location('message'), part: location('part') } as const;

/** The main supply of a device without a vehicle's is its battery. */
function nameBattery({ attributes }: Report): void {
  const { alarm, battery, batteryLevel, power } = attributes;
  if (typeof alarm !== 'string' || power !== undefined || (battery ?? batteryLevel) === undefined) return;
  const names = alarm.split(',').map((name) => (name === 'lowPower' ? 'lowBattery' : name));
  attributes['alarm'] = [...new Set(names)].join(',');
}

/** Body of 0200 up to the reader's end. Throws CodecError `truncated` if it ends before the items. */
export function readLocation(r: Reader, { model, zone }: Dialect, extent: Extent, archive = false): Position {
  const report = newReport(model);
  if (archive) report.attributes['archive'] = true;
  LOCATIONS[extent](r, report, zone);
  nameBattery(report);
  return report.toPosition();
}
