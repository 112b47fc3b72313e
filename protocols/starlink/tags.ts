import { KNOT_KMH } from '#codec';
import { alarmsByText, all, attributesByText, cell, fix, flag, number, textValue, type Value } from '#codec/text';
import { ALARMS, IGNITION } from './elements.ts';
import { sensor } from './sensor.ts';

const EVENT = all(number('event'), alarmsByText(ALARMS), attributesByText(IGNITION));
const METRES = { factor: 1000, truncate: true };

/** The variable that says how times are written. */
export const DATE_FORMAT = 'dateFormat';

/** Tag → what its item means. Source: vendor’s list of the tags of a message format. */
export const TAGS: Readonly<Record<string, Value>> = {
  '#EDT#': fix.deviceTime({ variable: DATE_FORMAT }),
  '#PDT#': fix.time({ variable: DATE_FORMAT }),
  '#EID#': EVENT,
  '#LAT#': fix.latitudeInMinutes,
  '#LONG#': fix.longitudeInMinutes,
  '#SPD#': fix.speed(KNOT_KMH),
  '#SPDK#': fix.speed(),
  '#HEAD#': fix.course(),
  '#ALT#': fix.altitude,
  '#ALTD#': fix.altitude,
  '#LAC#': cell.lac,
  '#CID#': cell.cid,
  '#ODO#': number('odometer', METRES),
  '#ODOD#': number('odometer', METRES),
  '#DAL#': textValue('driverUniqueId'),
  '#DID#': textValue('driverUniqueId'),
  '#EDV1#': textValue('external1'),
  '#EDV2#': textValue('external2'),
  '#EDSC#': textValue('reason'),
  '#IARM#': flag('armed'),
  '#BATC#': number('batteryLevel'),
  '#BATH#': number('batteryHealth'),
  '#TVI#': number('deviceTemp'),
  '#CFL#': number('fuel'),
  '#CFL2#': number('fuel2'),
  '#IN1#': number('in1'),
  '#IN2#': number('in2'),
  '#IN3#': number('in3'),
  '#IN4#': number('in4'),
  '#OUT1#': number('out1'),
  '#OUT2#': number('out2'),
  '#OUT3#': number('out3'),
  '#OUT4#': number('out4'),
  '#OUTA#': number('out1'),
  '#OUTB#': number('out2'),
  '#OUTC#': number('out3'),
  '#OUTD#': number('out4'),
  '#PDOP#': number('pdop'),
  '#CSS#': number('rssi'),
  '#VIN#': number('power'),
  '#VBAT#': number('battery'),
  '#DEST#': textValue('destination'),
  '#IGN#': flag('ignition'),
  '#IGNL#': flag('ignition'),
  '#ENG#': flag('ignition'),
  '#DUR#': number('hours'),
  '#TDUR#': number('hours'),
  '#SAT#': number('satVisible'),
  '#SATN#': number('satVisible'),
  '#SATU#': number('sat'),
  '#STRT#': number('starter'),
  '#TS1#': number('sensor1State'),
  '#TS2#': number('sensor2State'),
  '#V3#': number('adc1'),
  '#V4#': number('adc2'),
  '#TD1#': sensor,
  '#TD2#': sensor,
};
