import { type AttributeValue, CodecError, fromLatin1, type Position, type Reader } from '#codec';
import { asFarAsItGoes, isTruncated } from '../items/item.ts';
import { type Dialect, readLocation } from '../location.ts';
import { createReport, outdated } from '../report.ts';
import { readTime, trimmed } from '../values.ts';
import { message } from '../wire.ts';
import { acknowledge, type Handle, type Incoming, left } from './incoming.ts';
import { heartbeat } from './session.ts';

/** A location without items. */
export const LOCATION_BYTES = 28;

/** 0200 location. */
export const location: Handle = (incoming) => {
  const { r, header, dialect, bodyBytes, messages } = incoming;
  if (bodyBytes === 0) return heartbeat(incoming);
  if (bodyBytes < LOCATION_BYTES) throw new CodecError('truncated', 'no room for a location', header.bodyAt);
  const position = readLocation(r, dialect);
  messages.push(position);
  acknowledge(incoming);
  const label = position.attributes['alarmLabel'];
  if (label !== undefined) requestAttachments(incoming, label);
};

export const ATTACHMENT_PORT = 5267;

/** 8900 of Jimi: the pictures of an assistance alarm go to a server of their own, where there is one. */
function requestAttachments({ options, terminal, replies }: Incoming, label: AttributeValue): void {
  const host = options['attachmentHost'];
  if (typeof host !== 'string' || host === '') return;
  const text = `\xf0VIDEOUPLOAD,${host},${options['attachmentPort'] ?? ATTACHMENT_PORT},${label},1-2-3,2`;
  replies.push({ when: 'stored', bytes: message(terminal, 0x8900, 0, fromLatin1(text)) });
}

/** Locations with a length each, to the body's end. One that is cut short is left out. */
function readLocations(incoming: Incoming, lengthBytes: 1 | 2, archive: boolean): void {
  const { r, dialect, messages, header } = incoming;
  const before = messages.length;
  let found = 0;
  while (left(incoming) > lengthBytes) {
    const length = lengthBytes === 1 ? r.u8() : r.u16();
    const position = tryLocation(r.slice(Math.min(length, left(incoming))), dialect, archive);
    found++;
    if (position !== undefined) messages.push(position);
  }
  if (found > 0 && messages.length === before) {
    throw new CodecError('truncated', 'no location is whole', header.bodyAt);
  }
}

function tryLocation(r: Reader, dialect: Dialect, archive: boolean): Position | undefined {
  try {
    return readLocation(r, dialect, archive);
  } catch (error) {
    if (isTruncated(error)) return undefined;
    throw error;
  }
}

/** 0704 batch: u16 count, u8 kind (1: kept while there was no network). */
export const batch: Handle = (incoming) => {
  incoming.r.skip(2);
  readLocations(incoming, 2, incoming.r.u8() > 0);
  acknowledge(incoming);
};

/** 0210 of a vendor: battery and time, or locations. */
export const compactBatch: Handle = (incoming) => {
  const { r, header, dialect, messages } = incoming;
  if (header.declared !== 7) readLocations(incoming, 1, false);
  else {
    const report = createReport();
    report.attributes['batteryLevel'] = r.u8();
    messages.push(outdated(report, readTime(r, dialect.zone)));
  }
  acknowledge(incoming);
};

const signMagnitude = (raw: number): number => ((raw & 0x8000) !== 0 ? 0 - (raw & 0x7fff) : raw);

/** 2070: acceleration, a time and three axes each. */
export const acceleration: Handle = (incoming) => {
  const { r, messages } = incoming;
  const vectors: string[] = [];
  while (left(incoming) >= 12) {
    r.skip(6);
    vectors.push(`[${signMagnitude(r.u16())},${signMagnitude(r.u16())},${signMagnitude(r.u16())}]`);
  }
  const report = createReport();
  report.attributes['gSensor'] = `[${vectors.join(',')}]`;
  messages.push(outdated(report));
  acknowledge(incoming);
};

/** 0702: the driver puts in or takes out a card; what is missing at the end was not sent. */
export const driverCard: Handle = (incoming) => {
  const { r, dialect, messages } = incoming;
  const report = createReport();
  const { attributes } = report;
  attributes['cardStatus'] = r.u8();
  const time = readTime(r, dialect.zone);
  asFarAsItGoes(() => {
    if (left(incoming) === 0) return;
    attributes['cardResult'] = r.u8();
    const driver = r.latin1(r.u8());
    if (driver !== '') attributes['driver'] = driver;
    attributes['cardCode'] = trimmed(r.latin1(20));
    attributes['cardAgency'] = r.latin1(r.u8());
    attributes['cardValidity'] = r.hex(4);
  });
  messages.push(outdated(report, time));
  acknowledge(incoming);
};
