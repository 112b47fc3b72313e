import type { Field } from '#codec/binary';
import type { Report } from '../report.ts';

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
