import {
  cameraAnswer,
  dataAnswer,
  gbkText,
  generalAnswerOfDevice,
  locationAnswer,
  longText,
  resultOnly,
  terminalAttributes,
  wideText,
} from './answers.ts';
import type { Handle } from './incoming.ts';
import { media } from './media.ts';
import { blindPadlock, livePadlock } from './padlock.ts';
import { acceleration, batch, compactBatch, driverCard, location } from './records.ts';
import { acknowledgeOnly, authenticate, heartbeat, register, sendStandardTime, sendTime, status } from './session.ts';
import { transparent } from './transparent.ts';

export const REGISTER = 0x0100;
export const AUTHENTICATE = 0x0102;

/** What devices send, by message id. */
export const HANDLERS: ReadonlyMap<number, Handle> = new Map<number, Handle>([
  [0x0001, generalAnswerOfDevice],
  [0x0002, status],
  [0x0003, acknowledgeOnly],
  [0x0004, sendStandardTime],
  [REGISTER, register],
  [AUTHENTICATE, authenticate],
  [0x0104, dataAnswer],
  [0x0107, terminalAttributes],
  [0x0109, sendTime],
  [0x0200, location],
  [0x0201, locationAnswer],
  [0x0210, compactBatch],
  [0x0302, dataAnswer],
  [0x0500, locationAnswer],
  [0x0506, heartbeat],
  [0x0700, dataAnswer],
  [0x0701, longText],
  [0x0702, driverCard],
  [0x0704, batch],
  [0x0800, acknowledgeOnly],
  [0x0801, media],
  [0x0802, dataAnswer],
  [0x0805, cameraAnswer],
  [0x0900, transparent],
  [0x1007, acknowledgeOnly],
  [0x1205, dataAnswer],
  [0x1206, resultOnly],
  [0x1300, wideText],
  [0x2070, acceleration],
  [0x5501, livePadlock],
  [0x5502, blindPadlock],
  [0x6006, gbkText],
  [0x8888, acknowledgeOnly],
]);

export const isKnown = (type: number): boolean => HANDLERS.has(type);
