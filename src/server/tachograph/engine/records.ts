/**
 * What a tachograph file says, field by field. Sizes, order and codes: Implementing Regulation (EU) 2016/799, Annex IC.
 */
import type { CardFile } from './card-records.ts';
import type { VehicleUnitFile } from './vu-records.ts';

export type * from './card-records.ts';
export type * from './values.ts';
export type * from './vu-records.ts';

export type TachographFile = CardFile | VehicleUnitFile;
