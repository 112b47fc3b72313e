import { Draft, type Reader, readOptional } from '#codec';
import { GV600 } from './devices.ts';
import { readCell, readTime } from './location.ts';
import { type Content, idsOf, isSet, TAIL_BYTES } from './message.ts';

/** Bits of the report mask. Source: GV200 @Track Air Interface Protocol, AT+GTHRM. */
const BIT = { length: 0, device: 2, protocol: 3, firmware: 4, sendTime: 5, count: 6, more: 7 } as const;

interface Scope {
  readonly reader: Reader;
  readonly draft: Draft;
  readonly device: number;
}

type Group = (scope: Scope) => void;

const readVersion: Group = ({ reader, draft }) => {
  draft.attributes['versionHw'] = String(reader.u16());
  reader.skip(4);
};

const LINES_BYTES = 15;
/** Inputs and outputs stand last but one. */
const readLines: Group = ({ reader, draft }) => {
  reader.skip(Math.min(LINES_BYTES, reader.remaining) - 3);
  draft.attributes['input'] = reader.u8();
  draft.attributes['output'] = reader.u8();
  reader.skip(1);
};

const readReceiver: Group = ({ reader, draft }) => {
  reader.skip(1 + 1);
  draft.attributes['sat'] = reader.u8();
  // settings, time of the last fix, intervals
  reader.skip(1 + 7 + 1 + 1 + 2 + 2 + 2 + 4 + 1);
};

/** charging, external supply */
const [CHARGING, SUPPLY] = [0x20, 0x80];

const readSupply: Group = ({ reader, draft: { attributes }, device }) => {
  attributes['charge'] = (reader.u8() & (CHARGING | SUPPLY)) !== 0;
  attributes['power'] = reader.u16() / 1000;
  if (GV600.has(device)) reader.skip(2);
  attributes['battery'] = reader.u16() / 1000;
  attributes['batteryLevel'] = reader.u8();
};

const CARD_BYTES = 10;
const readCard: Group = ({ reader, draft }) => {
  draft.attributes['iccid'] = reader.hex(CARD_BYTES).replace(/f$/, '');
};

const readSignal: Group = ({ reader, draft }) => {
  draft.attributes['rssi'] = reader.u8();
  reader.skip(1);
};

const readZone: Group = ({ reader }) => reader.skip(3);

const readCells: Group = ({ reader, draft, device }) => {
  reader.skip(1);
  for (let count = reader.u8(); count > 0; count--) {
    readCell(reader, draft, device);
    reader.skip(1 + 1);
  }
};

/** The message with everything has the groups whose bits are set, from 8 on; others have one. */
const EVERYTHING = 1;
const [FIRST_BIT, GROUPS]: readonly [number, readonly Group[]] = [
  8,
  [readVersion, readLines, readReceiver, readSupply, readCard, readSignal, readZone, readCells],
];
const BY_TYPE: Readonly<Record<number, Group>> = {
  2: readReceiver,
  4: readCard,
  5: readSignal,
  6: readVersion,
  7: readSupply,
  8: readLines,
  9: readZone,
  10: readCells,
};

const [SEND_TIME_BYTES, COUNT_BYTES] = [7, 2];

/** +INF: what the device is and how it fares. */
export function readInformation(reader: Reader): Content {
  const draft = new Draft();
  const type = reader.u8();
  const mask = reader.u16();
  const has = (bit: number): boolean => isSet(mask, bit);
  if (has(BIT.more)) reader.skip(2);
  if (has(BIT.length)) reader.skip(2);
  const ids = idsOf(reader);
  const device = has(BIT.device) ? reader.u8() : 0;
  if (has(BIT.protocol)) reader.skip(2);
  if (has(BIT.firmware)) draft.attributes['versionFw'] = String(reader.u16());
  const end = reader.bytes.length - TAIL_BYTES - (has(BIT.count) ? COUNT_BYTES : 0);
  const timeAt = has(BIT.sendTime) ? end - SEND_TIME_BYTES : end;
  const content = reader.slice(Math.max(0, timeAt - reader.offset));
  // a message that is cut off keeps what was read
  readOptional(() => readGroups(type, mask, { reader: content, draft, device }));
  if (has(BIT.sendTime))
    readOptional(() => {
      draft.deviceTime = readTime(reader);
    });
  return { ids, drafts: [draft] };
}

function readGroups(type: number, mask: number, scope: Scope): void {
  BY_TYPE[type]?.(scope);
  if (type !== EVERYTHING) return;
  for (const [index, read] of GROUPS.entries()) if (isSet(mask, FIRST_BIT + index)) read(scope);
}
