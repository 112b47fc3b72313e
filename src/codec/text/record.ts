import { Draft } from '../draft.ts';
import type { Position } from '../messages.ts';

/** What a layout's conditions look at: the model, the type of a message, masks that it has read. */
export type Variables = Record<string, string | number>;

/** A record of a text message while its fields are read. The fix counts once place and time are there. */
export class TextRecord {
  readonly draft = new Draft();
  readonly variables: Variables;
  /** epoch ms */
  fixTime: number | undefined = undefined;
  /** epoch ms of the fix's day, and ms of that, if they are sent in two fields */
  day: number | undefined = undefined;
  timeOfDay = 0;
  /** degrees, north and east positive */
  latitude: number | undefined = undefined;
  longitude: number | undefined = undefined;
  valid = true;
  /** parts of a cell until it is whole */
  mcc: number | undefined = undefined;
  mnc: number | undefined = undefined;
  lac: number | undefined = undefined;
  cid: number | undefined = undefined;
  rssi: number | undefined = undefined;
  /** texts that their values refused, so that they are not lost */
  get unread(): string[] {
    this.#unread ??= [];
    return this.#unread;
  }
  /** the records before this one, if a message has several */
  get earlier(): TextRecord[] {
    this.#earlier ??= [];
    return this.#earlier;
  }
  /** which of its group is being read, from 1; it stands for the `#` of a key */
  groupNumber = 1;

  #unread: string[] | undefined = undefined;
  #earlier: TextRecord[] | undefined = undefined;

  constructor(variables: Variables = {}) {
    this.variables = variables;
  }

  get hasFix(): boolean {
    return (this.fixTime ?? this.day) !== undefined && this.latitude !== undefined && this.longitude !== undefined;
  }

  /** The position as far as it has been read; to be called once. */
  toPosition(): Position {
    const { draft, day, latitude, longitude } = this;
    const fixTime = this.fixTime ?? (day === undefined ? undefined : day + this.timeOfDay);
    if (fixTime !== undefined && latitude !== undefined && longitude !== undefined)
      draft.setFix(fixTime, this.valid, latitude, longitude);
    return draft.toPosition();
  }
}
