import type { Attributes, Reader } from '#codec';

type Handler = (reader: Reader, attributes: Attributes) => void;

const number =
  (key: string, read: (reader: Reader) => number | string): Handler =>
  (reader, attributes) => {
    attributes[key] = read(reader);
  };
const u8 = (key: string): Handler => number(key, (reader) => reader.u8());
const u32 = (key: string): Handler => number(key, (reader) => reader.u32LE());
const hex6 = (key: string): Handler => number(key, (reader) => reader.hex(6));
const degrees = (key: string): Handler => number(key, (reader) => reader.i32LE() / 1e7);

/** The remaining bytes; empty without any. */
const text =
  (key: string): Handler =>
  (reader, attributes) => {
    if (reader.remaining > 0) attributes[key] = reader.latin1();
  };

const all =
  (...handlers: Handler[]): Handler =>
  (reader, attributes) => {
    for (const handler of handlers) handler(reader, attributes);
  };

/** Four numbers, the last byte first. */
const version = (reader: Reader): string => Array.from(reader.view(4)).reverse().join('.');

/** Keys of a configuration, in the order of bytes of all messages. Source: the vendor's codec. */
export const CONFIGURATION: ReadonlyMap<number, Handler> = new Map<number, Handler>([
  [0x01, u32('moduleNumber')],
  [0x02, number('versionFw', version)],
  [0x03, text('imei')],
  [0x04, text('iccid')],
  [0x05, number('bleMac', (reader) => reader.hex(reader.remaining))],
  [0x06, u32('settingTime')],
  [0x07, u32('runTimes')],
  [
    0x0a,
    all(
      number('interval', (reader) => reader.u24LE()),
      u8('petMode'),
    ),
  ],
  [0x0d, u32('passwordProtect')],
  [0x0e, number('timeZone', (reader) => reader.i8())],
  [0x0f, u32('enableControl')],
  [0x13, text('deviceName')],
  [
    0x14,
    all(
      u8('batteryLevel'),
      number('battery', (reader) => reader.u16LE() / 1000),
    ),
  ],
  [0x15, all(degrees('bleLatitude'), degrees('bleLongitude'), text('bleLocation'))],
  [0x17, text('gpsUrl')],
  [0x18, text('lbsUrl')],
  [0x1a, text('firmware')],
  [0x1b, text('gsmModule')],
  [0x1d, all(u8('agpsUpdate'), degrees('agpsLatitude'), degrees('agpsLongitude'))],
  [0x30, (reader, attributes) => text(`number${reader.u8() & 0x0f}`)(reader, attributes)],
  [0x31, all(u8('prefixFlag'), text('prefix'))],
  [0x33, u8('phoneSwitches')],
  [0x40, text('apn')],
  [0x41, text('apnUser')],
  [0x42, text('apnPassword')],
  [
    0x43,
    all(
      (reader) => reader.skip(1),
      number('port', (reader) => reader.u16LE()),
      text('server'),
    ),
  ],
  [0x44, all(u32('heartbeatInterval'), u32('uploadInterval'), u32('uploadLazyInterval'))],
  [0x47, text('deviceId')],
  [0x4e, u8('gsmBand')],
  [0x50, u32('powerAlert')],
  [0x51, u32('geoAlert')],
  [0x53, u32('noMotionAlert')],
  [0x5c, all(u8('barkLevel'), u32('barkInterval'))],
  [0x61, text('msisdn')],
  [0x62, all(u8('wifiWhitelist'), hex6('wifiWhitelistMac'))],
  [0x64, all(u8('rssi'), u32('networkBand'), text('operator'))],
  [0x65, all(u8('rssi'), u8('networkStatus'), u8('serverStatus'), hex6('networkPlmn'), hex6('homePlmn'))],
  [0x66, text('imsi')],
  [0x75, u32('extraEnableControl')],
]);
