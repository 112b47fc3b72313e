/** What was agreed on for a connection's FLEX packages. */
export interface State {
  /** numbers of the fields of a record, ascending */
  readonly fields: readonly number[];
  /** bytes of a record; 0 before anything was agreed on */
  readonly recordBytes: number;
}

export const NOTHING_AGREED: State = { fields: [], recordBytes: 0 };
