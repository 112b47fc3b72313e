import { type DecodeContext, type Decoded, Draft, type Message, Reader } from '#codec';
import { readHistograms } from './histogram.ts';
import { readPosition } from './position.ts';
import { readUnit } from './unit.ts';
import { readBus, readTachograph } from './vehicle.ts';

/** Events that are alarms. */
const ALARMS: Readonly<Record<number, string>> = {
  0x12: 'temperature',
  0x13: 'temperature',
  0x14: 'lowBattery',
  0x32: 'hardAcceleration',
  0x33: 'hardBraking',
  0x34: 'hardCornering',
  0x35: 'hardCornering',
  0x6b: 'geofence',
  0x6c: 'geofence',
  0x6f: 'overspeed',
  0x72: 'overspeed',
  0x73: 'temperature',
  0x74: 'highRpm',
  0x75: 'hardBraking',
  0x7a: 'sos',
  0x7c: 'hardBraking',
  0x7d: 'hardAcceleration',
};
const IGNITION: Readonly<Record<number, boolean>> = { 0x07: true, 0x08: false };

const LONG_ID = 0x80;
const SELECTED = 0x40;
const DEFAULT_SELECTOR = 0x00_02fc;

interface Kind {
  /** what a message without a selector has */
  readonly selector: number;
  readonly read: (reader: Reader, draft: Draft, selector: number) => void;
}

const KINDS: Readonly<Record<string, Kind>> = {
  D: { selector: DEFAULT_SELECTOR, read: readPosition },
  E: { selector: 0x00_7ffc, read: readTachograph },
  F: { selector: 0x00_07fd, read: readBus },
  H: { selector: DEFAULT_SELECTOR, read: readHistograms },
};

/** What stands behind the message's length, or is missing before it, is decoded as far as it goes. */
export function decode(bytes: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const reader = new Reader(bytes);
  const kind = KINDS[String.fromCharCode(reader.u8())];
  const version = reader.u8();
  const messages: Message[] = [{ type: 'login', ids: [readUnit(reader, (version & LONG_ID) !== 0)] }];
  reader.skip(2);
  const selector = (version & SELECTED) !== 0 ? reader.u24() : (kind?.selector ?? DEFAULT_SELECTOR);
  const event = reader.u8();
  const draft = new Draft({ event, eventInfo: reader.u8() });
  if (kind === undefined) return { state, messages: [...messages, { type: 'heartbeat' }], replies: [] };
  draft.addAlarm(ALARMS[event]);
  kind.read(reader, draft, selector);
  const switched = IGNITION[event];
  if (switched !== undefined) draft.attributes['ignition'] ??= switched;
  return { state, messages: [...messages, draft.toPosition()], replies: [] };
}
