import type { Reader } from '#codec';
import { readPlace } from '../blocks.ts';
import { MODULE_ALARMS } from '../elements.ts';
import type { Packet } from '../packet.ts';

type Module = (value: Reader, packet: Packet) => void;

/** Modular message (70): u16 number, u16 length, value. */
export function readModular(packet: Packet): void {
  const { reader } = packet;
  while (reader.remaining > 0) {
    const module = MODULES[reader.u16()];
    const value = reader.slice(reader.u16());
    module?.(value, packet);
  }
}

const MODULES: Readonly<Record<number, Module>> = {
  0x03: (value, { draft }) => {
    draft.attributes['iccid'] = value.hex(10);
  },
  0x09: (value, { draft }) => {
    draft.attributes['sat'] = value.u8();
  },
  0x0a: (value, { draft }) => {
    draft.attributes['satVisible'] = value.u8();
  },
  0x11: (value, { draft }) => {
    const cell = { mcc: value.u16(), mnc: value.u16(), lac: value.u16(), cid: value.u24(), rssi: 0 - value.u8() };
    if (cell.cid > 0) draft.addCell(cell);
  },
  0x18: (value, { draft }) => {
    draft.attributes['battery'] = value.u16() / 100;
  },
  0x28: (value, { draft }) => {
    draft.attributes['hdop'] = value.u8() / 10;
  },
  0x29: (value, { draft }) => {
    draft.attributes['index'] = value.u32();
  },
  0x2a: (value, { draft }) => {
    const contacts = value.u8();
    draft.attributes['door'] = (contacts & 0x0f) > 0;
    draft.attributes['tamper'] = contacts >> 4 > 0;
  },
  0x2b: (value, { draft }) => {
    draft.attributes['bootReason'] = value.u8();
  },
  0x2e: (value, { draft }) => {
    draft.attributes['odometer'] = value.u32LE();
  },
  0x33: (value, packet) => {
    const { draft } = packet;
    const time = value.u32() * 1000;
    draft.attributes['sat'] = value.u8();
    const altitude = value.i16();
    readPlace(packet, time, value);
    draft.deviceTime = time;
    draft.altitude = altitude;
  },
  0x34: (value, { draft }) => {
    const event = value.u8();
    draft.attributes['event'] = event;
    draft.addAlarm(MODULE_ALARMS[event]);
  },
  0x7f: (value, { draft }) => {
    const { attributes } = draft;
    attributes['tag1Id'] = value.hex(6);
    attributes['tag1Battery'] = value.u16() / 1000;
    attributes['tag1BatteryLevel'] = value.u8();
    attributes['tag1Temp'] = value.i16() / 10;
    attributes['tag1Humidity'] = value.i16();
    attributes['tag1Status'] = value.u8();
  },
};

/** Device status (F1): time, then u16 number, u8 length, value. */
export function readDeviceStatus(packet: Packet): void {
  const { reader, draft } = packet;
  draft.deviceTime = reader.u32() * 1000;
  while (reader.remaining > 0) {
    const item = STATUS_ITEMS[reader.u16()];
    const value = reader.slice(reader.u8());
    item?.(value, packet);
  }
}

const STATUS_ITEMS: Readonly<Record<number, Module>> = {
  0x0001: (value, { draft }) => {
    const state = value.u8();
    draft.attributes['motion'] = state === 2 || state === 4;
  },
  0x0002: (value, { draft }) => {
    draft.attributes['armed'] = value.u8() > 0;
  },
  0x0004: (value, { draft }) => {
    draft.attributes['ignition'] = value.u8() > 0;
  },
  0x0005: (value, { draft }) => {
    draft.attributes['power'] = value.u16() / 100;
  },
  0x0007: (value, { draft }) => {
    draft.attributes['charge'] = value.u8() > 0;
  },
  0x000a: (value, { draft }) => {
    draft.attributes['chargeVoltage'] = value.u16();
  },
  0x000b: (value, { draft }) => {
    draft.attributes['batteryTemp'] = value.u16() / 10;
  },
};

const BLUETOOTH = 0x000a;
const BATTERY = 0x000c;

/** Peripherals (F2): time, then items of three shapes. */
export function readPeripherals(packet: Packet): void {
  const { reader, draft } = packet;
  draft.deviceTime = reader.u32() * 1000;
  while (reader.remaining > 0) {
    const id = reader.u16();
    if (id === BLUETOOTH) readBluetooth(packet);
    else if (id === BATTERY) readExternalBattery(packet);
    else reader.skip(reader.u8() || reader.u8());
  }
}

/** What precedes the data in a Bluetooth item, the second half of its length included. */
const BLUETOOTH_HEAD = 10;

function readBluetooth({ reader, draft }: Packet): void {
  const { attributes } = draft;
  const length = reader.u16();
  reader.skip(1);
  attributes['mac'] = reader.hex(6);
  const event = reader.u8();
  attributes['event'] = event;
  const data = reader.u8();
  if (event > 0) attributes['eventData'] = data;
  attributes['dataType'] = reader.u8();
  attributes['dataDetails'] = reader.hex(Math.max(0, length - BLUETOOTH_HEAD));
}

function readExternalBattery({ reader, draft }: Packet): void {
  const { attributes } = draft;
  reader.skip(1);
  attributes['externalBatteryLevel'] = reader.u8();
  if (reader.u8() > 0) attributes['externalBatteryCharge'] = true;
  attributes['externalBatteryCycles'] = reader.u16();
  reader.skip(6);
}
