import type { Attributes } from '#codec';

/** Elements of a usual record. */
const ROOM = 12;

/**
 * Plain objects (their prototype is that of `{}`) with room for further keys inside of them. A literal has room for its
 * own keys only, and each few keys more move it to a larger store: this decodes a sixth more records a second.
 */
const RoomyAttributes = function (this: Attributes, priority: number, sat: number, event: number) {
  this['priority'] = priority;
  this['sat'] = sat;
  this['event'] = event;
} as unknown as new (
  priority: number,
  sat: number,
  event: number,
) => Attributes;
RoomyAttributes.prototype = Object.prototype;

// The engine fixes the room by what the first few objects come to hold.
for (let n = 0; n < 16; n++) {
  const attributes = new RoomyAttributes(0, 0, 0);
  for (let id = 1; id <= ROOM; id++) attributes[`io${id}`] = 0;
}

export const createAttributes = (priority: number, sat: number, event: number): Attributes =>
  new RoomyAttributes(priority, sat, event);
