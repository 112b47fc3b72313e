import { addAlarms, type Item, type ReadItem } from './item.ts';

const HARD_DRIVING = [
  [0x0100, 'hardAcceleration'],
  [0x0200, 'hardBraking'],
  [0x0400, 'hardCornering'],
] as const;
const DOOR = [[0x1_0000, 'door']] as const;

/** 57: extended alarms. */
export const DRIVING: ReadItem = ({ r, report }) => {
  addAlarms(report, r.u16(), HARD_DRIVING);
};

export const DOOR_AND_DRIVING: ReadItem = (item) => {
  DRIVING(item);
  item.r.skip(2);
  addAlarms(item.report, item.r.u32(), DOOR);
};

const BEHAVIOUR: Readonly<Record<number, string>> = {
  0x01: 'hardAcceleration',
  0x02: 'hardBraking',
  0x03: 'hardCornering',
  0x16: 'accident',
};

/** 70: driving behaviour, laid out as the assistance alarms are. */
export const BEHAVIOUR_ALARM: ReadItem = ({ r, report }) => {
  r.skip(5);
  const alarm = BEHAVIOUR[r.u8()];
  if (alarm !== undefined) report.alarms.push(alarm);
};

/** 64 driver assistance, 65 driver state (T/JSATL 12): u32 id, u8 flag, u8 type …, label of the attachments last. */
export const assistance =
  (key: 'adasAlarm' | 'dmsAlarm'): ReadItem =>
  (item) => {
    const { r, report, length, end } = item;
    r.skip(5);
    report.attributes[key] = r.u8();
    if (length < 47) return;
    r.offset = end - 16;
    report.attributes['alarmLabel'] = r.hex(16);
  };

/** E7: vibration and emergency. */
export const VIBRATION_AND_SOS: ReadItem = ({ r, report, length }) => {
  if (length !== 8) return;
  addAlarms(report, r.u16(), [
    [0x01, 'vibration'],
    [0x0e, 'sos'],
  ]);
};

/** D0: alarm word of Topin. */
export const VIBRATION: ReadItem = ({ r, report }) => addAlarms(report, r.u32(), [[0x08, 'vibration']]);

const FE_ALARMS = [
  [0x01, 'hardAcceleration'],
  [0x02, 'hardBraking'],
  [0x04, 'hardCornering'],
  [0x08, 'accident'],
  [0x10, 'tampering'],
] as const;

/** FE: battery by length, or a mark with further entries and one more byte of battery behind them. */
export const BATTERY_OR_MORE: ReadItem = (item) => {
  const { r, report, length } = item;
  if (length === 1) report.attributes['batteryLevel'] = r.u8();
  else if (length === 2) report.attributes['power'] = r.u16() / 10;
  else if (length === 4) report.attributes['odometer'] = r.u32();
  else {
    if (r.u8() === 0x7c) readEntries(item);
    report.attributes['batteryLevel'] = r.u8();
  }
};

function readEntries({ r, report, end }: Item): void {
  while (r.offset < end) {
    const type = r.u8();
    const length = r.u8();
    if (type === 0x01) addAlarms(report, r.u32(), FE_ALARMS);
    else r.skip(length);
  }
}
