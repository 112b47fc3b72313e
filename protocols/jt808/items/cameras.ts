import { alarm, constant, type FieldList, hex, skip, switchOn, tags, u8, u16, u32 } from '#codec/binary';

/** States: u16 id, u8 length. */
const STATES: FieldList = tags({
  id: 'u16',
  length: 'u8',
  table: {
    0x0001: u16('battery', { divisor: 100 }),
    0x0002: u32('dataUsage'),
    0x0003: u8('batteryLevel'),
    0x0004: u8('charge', { equals: 0 }),
    0x0005: hex('iccid', 10, { maxChars: 19 }),
    0x0007: u16('hdop', { divisor: 10 }),
    0x2001: u16('power', { divisor: 10 }),
  },
});

/** E8 of the JC cameras: code, then what belongs to it. */
export const CAMERA_CODES: FieldList = switchOn('u16', {
  0x0001: alarm('fault'),
  0x0400: alarm('hardAcceleration'),
  0x0412: alarm('hardAcceleration'),
  0x0401: alarm('hardBraking'),
  0x0413: alarm('hardBraking'),
  0x0402: alarm('hardCornering'),
  0x0414: alarm('hardCornering'),
  0x0403: alarm('overspeed'),
  0x0405: alarm('accident'),
  0x0416: alarm('accident'),
  0x0417: alarm('accident'),
  0x0406: alarm('vibration'),
  0x0407: alarm('tow'),
  0x0408: alarm('geofenceEnter'),
  0x0409: alarm('geofenceExit'),
  0x040c: alarm('door'),
  0x0415: alarm('laneChange'),
  0x0c01: alarm('sos'),
  0x0c02: alarm('lowPower'),
  0x0c03: constant('ignition', true),
  0x0c04: constant('ignition', false),
  0x0c05: alarm('general'),
  0x0c0e: alarm('powerCut'),
  0x0c0f: alarm('lowBattery'),
  0x0c10: alarm('powerOff'),
  0x0c12: alarm('tampering'),
  0x2002: [skip(1), u8('uploadMode'), u8('buffered', { equals: 1 })],
  0x2003: [
    skip(1),
    u8('charge', { equals: 1 }),
    // A symbol of six bars.
    u8('batteryLevel', { min: 1, max: 6, factor: 100, divisor: 6, truncate: true }),
    u16('battery', { divisor: 100 }),
    u8('rssi'),
    u16('power', { divisor: 100 }),
  ],
  0x2005: [skip(1), STATES],
});
