/**
 * Amounts in euro, by table. A finding takes the table that covers its first minute; after the last table there is no
 * amount until a new table is added here.
 *
 * Art. 174 of the Codice della Strada as indexed for 2019. Paragraphs 4 and 5 were compared with the consolidated text. The
 * indexation of 2021 (-0.2 %) moves amounts by up to 3 euro and is not in them. Indexation is suspended for 2023 to
 * 2026; D.L. 200/2025 art. 9 moves new amounts to 1 January 2027. Rows marked `approximate` are the amounts of 2010
 * times 1.084, the factor of the quoted rows, and are not quoted from an official text.
 *
 * Omitted for lack of a verified source: the surcharge of a third between 22:00 and 07:00 (art. 195
 * c. 2-bis), and the undertaking's fine for each driver concerned (comma 14), which is due once for a driver and not
 * for an infringement.
 *
 * D.Lgs. 234/2007 art. 9: secondary source, not indexed.
 */
export interface FineTable {
  readonly name: string;
  /** `yyyy-mm-dd`; `until` is the first day without. */
  readonly from: string;
  readonly until: string | null;
  readonly rows: Readonly<Record<string, FineRow>>;
}

export interface FineRow {
  readonly comma: string;
  readonly minEur: number;
  readonly maxEur: number;
  readonly approximate?: true;
  /** Art. 126-bis, from memory. */
  readonly points?: number;
}

export const ART_174: readonly FineTable[] = [
  {
    name: '2019-2026',
    from: '2019-01-01',
    until: '2027-01-01',
    rows: {
      'driving-a': { comma: '4', minEur: 41, maxEur: 165, points: 0 },
      'rest-a': { comma: '4', minEur: 218, maxEur: 868, points: 0 },
      'driving-b': { comma: '5', minEur: 325, maxEur: 1301, points: 2 },
      'rest-b': { comma: '5', minEur: 379, maxEur: 1519, points: 5 },
      'driving-c': { comma: '6', minEur: 434, maxEur: 1735, approximate: true, points: 10 },
      'rest-c': { comma: '6', minEur: 434, maxEur: 1735, approximate: true, points: 10 },
      'weekly-driving-b': { comma: '7', minEur: 271, maxEur: 1084, approximate: true, points: 1 },
      'weekly-rest-b': { comma: '7', minEur: 379, maxEur: 1519, approximate: true, points: 3 },
      'weekly-driving-c': { comma: '7', minEur: 434, maxEur: 1735, approximate: true, points: 2 },
      'weekly-rest-c': { comma: '7', minEur: 434, maxEur: 1735, approximate: true, points: 5 },
      breaks: { comma: '8', minEur: 168, maxEur: 672, approximate: true, points: 2 },
    },
  },
];

export const DLGS_234: readonly FineTable[] = [
  {
    name: 'D.Lgs. 234/2007',
    from: '2008-01-01',
    until: null,
    rows: {
      'week-a': { comma: '9', minEur: 130, maxEur: 780 },
      'week-b': { comma: '9', minEur: 260, maxEur: 1560 },
      breaks: { comma: '9', minEur: 103, maxEur: 300 },
      night: { comma: '9', minEur: 300, maxEur: 900 },
    },
  },
];
