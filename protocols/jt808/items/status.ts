import { fixFlags } from '#codec';
import type { Field } from '#codec/binary';
import type { Report } from '../report.ts';

const [IGNITION, BLOCKED, CHARGE] = [0x01, 0x400, 0x400_0000];
const FLAGS = fixFlags({ valid: 0x02, south: 0x04, west: 0x08 });

/** u32 flags, u32 latitude and longitude in millionths of a degree (JT/T 808, table 23 and 24). */
export const STATUS: Field<Report> = ({ reader, into }) => {
  const { attributes, model } = into;
  const flags = reader.u32();
  const latitude = reader.u32() / 1e6;
  const longitude = reader.u32() / 1e6;
  into.valid = FLAGS.isValid(flags);
  into.latitude = FLAGS.latitude(flags, latitude);
  into.longitude = FLAGS.longitude(flags, longitude);
  attributes['ignition'] = (flags & IGNITION) !== 0;
  attributes['blocked'] = (flags & BLOCKED) !== 0;
  // Reserved in the standard; set by devices of vendors while they charge.
  if ((flags & CHARGE) !== 0) attributes['charge'] = true;
  for (const [mask, key] of model.statusBits) attributes[key] = (flags & mask) !== 0;
};
