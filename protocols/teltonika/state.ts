import type { Message, Reply } from '#codec';

/** What a connection knows. */
export interface State {
  /** from the login; absent before it */
  readonly deviceId: string | undefined;
  /** the photo that is being fetched */
  readonly photo: Photo | undefined;
}

export interface Photo {
  readonly id: number;
  /** bytes; absent if the camera has not said */
  readonly total: number | undefined;
}

/** What the items of a packet of codec 12 to 15 come to. */
export interface Exchange {
  state: State;
  readonly messages: Message[];
  readonly replies: Reply[];
}

/** Elements that say something together with others of their record. */
export interface Extras {
  lac?: number;
  cid?: number;
  lteCid?: number;
  cardHighAt?: number;
  cardLowAt?: number;
  vinAt?: number;
  vinMiddleAt?: number;
  vinEndAt?: number;
  /** the last ten digits */
  iccidEnd?: string;
}
