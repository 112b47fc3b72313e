import { delimited } from '#codec/framing';

/** Texts of padlocks are short; what is longer was noise that held a bracket. */
export const TEXT = 0x28;
export const TEXTS = delimited({ starts: ['('], ends: [')'], maxBytes: 1024, within: [0x20, 0x7d] });

export const PADLOCK_ID = /^\((\d{12}),/;

/** Of texts, only those that a padlock opens with: `(id,1,001,…`. */
export const PADLOCK_TEXT = /^\(\d{12},1,\d{3},[A-Z]/;
export const PADLOCK_BEGINNING = /^\(\d{0,12}$|^\(\d{12},(?:1(?:,\d{0,3}|,\d{3},)?)?$/;
export const MAX_OPENING_BYTES = 21;
