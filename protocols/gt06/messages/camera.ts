import { readCameraGps, readDate, readText } from '../blocks.ts';
import { CAMERA_ALARMS } from '../elements.ts';
import type { Packet } from '../packet.ts';

const SHORT_CONTENT = 7;

/** Alarm of a camera (95): event, its data and the names of its recordings; the short form has no place. */
export function readCameraAlarm(packet: Packet): void {
  const { reader, draft, variant } = packet;
  const hasPlace = reader.remaining > SHORT_CONTENT;
  if (hasPlace) {
    if (variant === 'JC400') reader.skip(3);
    readCameraGps(packet);
  } else draft.deviceTime = readDate(packet);
  const { attributes } = draft;
  if (variant === 'JC400') attributes['power'] = reader.u16() / 10;
  const event = reader.u8();
  attributes['event'] = event;
  draft.addAlarm(event === 1 && !hasPlace ? 'general' : CAMERA_ALARMS[event]);
  if (reader.remaining < 2) return;
  attributes['eventData'] = reader.u16();
  attributes['eventFiles'] = readText(reader, reader.remaining);
}
