import type { Enclosed } from '#codec/framing';

/** Texts of padlocks are short; what is longer was noise that held a bracket. */
export const TEXT = 0x28;
export const TEXTS: Enclosed = { end: 0x29, mostBytes: 1024, within: [0x20, 0x7e] };

export const PADLOCK_ID = /^\((\d{12}),/;

/** Of texts, only those that a padlock opens with: `(id,1,001,…`. */
export const PADLOCK_TEXT = /^\(\d{12},1,\d{3},[A-Z]/;
export const PADLOCK_BEGINNING = /^\(\d{0,12}$|^\(\d{12},(?:1(?:,\d{0,3}|,\d{3},)?)?$/;
export const LONGEST_OPENING = 21;
