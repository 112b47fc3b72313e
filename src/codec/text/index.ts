/** Layouts of text messages as data: fields in their order (`layout`), by their names, or found by one match (`grammar`). */
export * from './fix.ts';
export * from './grammar.ts';
export * from './values.ts';
export * from './walk.ts';
