import { Draft } from '#codec';
import type { Model } from './models.ts';

/** A record of a device of some model, as its message is read. */
export class Report extends Draft {
  readonly model: Model;
  /** it has turned out to hold nothing */
  isDropped = false;

  constructor(model: Model) {
    super();
    this.model = model;
  }
}
