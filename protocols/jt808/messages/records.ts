import { CodecError, fromLatin1, readOptional, storedReply, Writer } from '#codec';
import { bcdTime, u8 } from '#codec/binary';
import { readLocation } from '../location.ts';
import { message } from '../wire.ts';
import type { Handle, Incoming } from './handle.ts';
import { acknowledge, acknowledged, heartbeat, left } from './incoming.ts';

/** A location without items. */
export const LOCATION_BYTES = 28;

/** 0200 location. */
export const location: Handle = (incoming) => {
  const { r, header, dialect, bodyBytes, messages } = incoming;
  if (bodyBytes === 0) return heartbeat(incoming);
  if (bodyBytes < LOCATION_BYTES) throw new CodecError('truncated', 'no room for a location', header.bodyAt);
  const position = readLocation(r, dialect, 'message');
  messages.push(position);
  acknowledge(incoming);
  const label = position.attributes['alarmLabel'];
  if (label !== undefined) requestAttachments(incoming, String(label));
};

export const ATTACHMENT_PORT = 5267;

/** T/JSATL 12, 9208: address, ports, label and number of the alarm, reserved; the number is the label in digits. */
const attachmentRequest = (host: string, port: number, label: string): Uint8Array =>
  new Writer().u8(host.length).latin1(host).u16(port).u16(0).hex(label).latin1(label).hex('00'.repeat(16)).finish();

/**
 * The pictures of an assistance alarm go to a server of their own, where there is one: 9208 of the standard asks for them,
 * or 8900 of Jimi.
 */
function requestAttachments({ options, terminal, replies }: Incoming, label: string): void {
  const host = options['attachmentHost'];
  if (typeof host !== 'string' || host === '') return;
  const port = Number(options['attachmentPort'] ?? ATTACHMENT_PORT);
  if (options['attachmentMessage'] === '9208') {
    replies.push(storedReply(message(terminal, 0x9208, 0, attachmentRequest(host, port, label))));
    return;
  }
  const text = `\xf0VIDEOUPLOAD,${host},${port},${label},1-2-3,2`;
  replies.push(storedReply(message(terminal, 0x8900, 0, fromLatin1(text))));
}

/** Locations with a length each, to the body's end. One that is cut short is left out. */
function readLocations(incoming: Incoming, lengthBytes: 1 | 2, archive: boolean): void {
  const { r, dialect, messages, header } = incoming;
  const before = messages.length;
  let found = 0;
  while (left(incoming) > lengthBytes) {
    const length = lengthBytes === 1 ? r.u8() : r.u16();
    const part = r.slice(Math.min(length, left(incoming)));
    readOptional(() => messages.push(readLocation(part, dialect, 'part', archive)));
    found++;
  }
  if (found > 0 && messages.length === before) {
    throw new CodecError('truncated', 'no location is whole', header.bodyAt);
  }
}

/** 0704 batch: u16 count, u8 kind (1: kept while there was no network). */
export const batch: Handle = (incoming) => {
  incoming.r.skip(2);
  readLocations(incoming, 2, incoming.r.u8() > 0);
  acknowledge(incoming);
};

const BATTERY_AND_TIME = acknowledged([u8('batteryLevel'), bcdTime('device')]);

/** 0210 of a vendor: battery and time, or locations. */
export const compactBatch: Handle = (incoming) => {
  if (incoming.header.declared === 7) return BATTERY_AND_TIME(incoming);
  readLocations(incoming, 1, false);
  acknowledge(incoming);
};
