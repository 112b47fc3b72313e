export type Format = 'csv' | 'xlsx' | 'pdf';

/** Minutes are whole minutes and shown as hh:mm. A date is `yyyy-mm-dd`, also with `hh:mm`; spreadsheets get a real one. */
export type CellKind = 'text' | 'minutes' | 'number' | 'hours' | 'date';
export type Cell = string | number | null;

export interface Column {
  readonly title: string;
  /** in PDF, if it differs */
  readonly heading?: string;
  readonly kind: CellKind;
  /** share of the page's width */
  readonly weight?: number;
  /** omitted from PDF, kept in CSV and spreadsheets */
  readonly offPage?: boolean;
}

export type BarState = 'rest' | 'availability' | 'work' | 'driving' | 'unknown';

/** A bar of 24 hours (23 or 25 when daylight saving time changes), minute by minute. */
export interface DayBar {
  readonly label: string;
  readonly minutes: number;
  readonly spans: readonly { readonly from: number; readonly to: number; readonly state: BarState }[];
  /** drawn over it as a frame: ferries, out of scope */
  readonly marks: readonly { readonly from: number; readonly to: number; readonly text: string }[];
  /** beside the bar */
  readonly note: string;
}

export interface Table {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly totals?: readonly Cell[];
}

/** A column and how to read its cell from a row. */
export interface Field<R> extends Column {
  readonly cell: (row: R) => Cell;
}

export const tableOf = <R>(
  title: string,
  fields: readonly Field<R>[],
  rows: readonly R[],
  totals?: readonly Cell[],
): Table => ({
  title,
  columns: fields.map(({ cell: _, ...column }) => column),
  rows: rows.map((row) => fields.map(({ cell }) => cell(row))),
  ...(totals && { totals }),
});

/** Places over the coasts and borders of Europe. */
export interface PlaceMap {
  readonly title: string;
  /** in the order in which they were reached; `label` is empty where only the way went through it */
  readonly points: readonly {
    readonly longitude: number;
    readonly latitude: number;
    readonly kind: string;
    readonly label: string;
  }[];
  readonly kinds: Readonly<Record<string, { readonly color: string; readonly text: string }>>;
}

/** A line of an official form. */
export interface FormLine {
  readonly number?: string;
  readonly text: string;
  /** below the text, smaller */
  readonly translation?: string;
  readonly value?: string;
  /** a box, with or without a cross */
  readonly checked?: boolean;
  readonly strong?: boolean;
  /** followed by a line to sign on */
  readonly toSign?: boolean;
}

export interface Section {
  readonly title: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** in PDF, between facts and tables */
  readonly paragraphs?: readonly string[];
  /** in PDF, before the tables */
  readonly form?: readonly FormLine[];
  /** in PDF, after the tables: heading of empty lines to write on */
  readonly statement?: string;
  /** in PDF, after the tables: what stands under each line to sign on */
  readonly signatures?: readonly string[];
  readonly bars?: readonly DayBar[];
  /** text beside the bars */
  readonly barNotes?: string;
  /** in PDF, between bars and tables */
  readonly map?: PlaceMap;
  readonly tables: readonly Table[];
}

/** A report, independent of its format. The first table of each section is what CSV holds. */
export interface Report {
  readonly title: string;
  readonly language: 'it' | 'en';
  /** CSV has commas and decimal points in every language, since programs read it */
  readonly isForPrograms?: boolean;
  /** of PDF; landscape by default */
  readonly orientation?: 'portrait';
  readonly sections: readonly Section[];
  /** at the foot of each page */
  readonly footer: string;
  readonly legend: Readonly<Record<BarState, string>>;
}

export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
};
