/** Messages of text as tables: fields in their order (`layout`), by their names (`byName`), or by one match (`grammar`). */

export * from './decode-grammar.ts';
export * from './digits.ts';
export * from './fields.ts';
export * from './fix.ts';
export * from './grammar.ts';
export * from './record.ts';
export * from './rmc.ts';
export * from './values.ts';
export * from './walk.ts';
