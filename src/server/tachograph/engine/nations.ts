/** NationAlpha by NationNumeric, from 0 on (Annex IC, appendix 1, 2.100 and 2.101). */
const LETTERS =
  '- A AL AND ARM AZ B BG BIH BY CH CY CZ D DK E EST F FIN FL FR UK GE GR H HR I IRL IS KZ L LT LV M MC MD MK N NL P PL RO ' +
  'RSM RUS S SK SLO TM TR UA V YU MNE SRB UZ TJ';
const NATIONS = LETTERS.split(' ');
const GROUPS: Readonly<Record<number, string>> = { 253: 'EC', 254: 'EUR', 255: 'WLD' };

/** NationNumeric of the countries that have letters. */
export const NATION_NUMBERS: readonly number[] = [...NATIONS.keys()].slice(1);

/** The letters of a country as tachographs print them; the number where it has none. */
export const countryCode = (country: number): string => NATIONS[country] ?? GROUPS[country] ?? `#${country}`;

/** Members of the Union: letters of tachographs and ISO 3166. */
const MEMBERS =
  'A AT B BE BG BG CY CY CZ CZ D DE DK DK E ES EST EE F FR FIN FI GR GR H HU HR HR I IT IRL IE L LU LT LT LV LV M MT NL NL ' +
  'P PT PL PL RO RO S SE SK SK SLO SI';
const ISO = new Map(
  MEMBERS.split(' ').flatMap((letters, index, all) =>
    index % 2 === 0 ? [[NATIONS.indexOf(letters), all[index + 1]!] as const] : [],
  ),
);

/** Members of the Union, by NationNumeric. */
export const UNION: ReadonlySet<number> = new Set(ISO.keys());

/** The Union and the other states of the European Economic Area, to which the rules on access to the haulage market extend. */
export const MARKET: ReadonlySet<number> = new Set([
  ...UNION,
  ...['FL', 'IS', 'N'].map((each) => NATIONS.indexOf(each)),
]);

/** ISO 3166 of a member of the Union. */
export const isoOf = (country: number): string | undefined => ISO.get(country);
