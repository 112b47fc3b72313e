/** NationAlpha by NationNumeric, from 0 on (Annex IC, appendix 1, 2.100 and 2.101). */
const LETTERS =
  '- A AL AND ARM AZ B BG BIH BY CH CY CZ D DK E EST F FIN FL FR UK GE GR H HR I IRL IS KZ L LT LV M MC MD MK N NL P PL RO ' +
  'RSM RUS S SK SLO TM TR UA V YU MNE SRB UZ TJ';
const NATIONS = LETTERS.split(' ');
const GROUPS: Readonly<Record<number, string>> = { 253: 'EC', 254: 'EUR', 255: 'WLD' };

/** The letters of a country as tachographs print them; the number where it has none. */
export const countryCode = (country: number): string => NATIONS[country] ?? GROUPS[country] ?? `#${country}`;
