import { alarmMember, choiceMember, flagMember, type MemberUse, numberMember, textMember } from '#codec/http';

const METERS_PER_KM = 1_000;
const MS_PER_HOUR = 3_600_000;

/** Parameters of flespi messages by name (flespi.com/protocols, "Parameters"), and the keys of the vocabulary. */
export const PARAMETERS = new Map<string, readonly [key: string | undefined, use: MemberUse]>([
  ['position.satellites', ['sat', numberMember('sat', { whole: true })]],
  ['position.hdop', ['hdop', numberMember('hdop')]],
  ['position.pdop', ['pdop', numberMember('pdop')]],
  ['din', ['input', numberMember('input', { whole: true })]],
  ['dout', ['output', numberMember('output', { whole: true })]],
  ['report.reason', ['event', numberMember('event', { whole: true })]],
  ['gps.vehicle.mileage', ['odometer', numberMember('odometer', { times: METERS_PER_KM })]],
  ['external.powersource.voltage', ['power', numberMember('power')]],
  ['battery.voltage', ['battery', numberMember('battery')]],
  ['battery.level', ['batteryLevel', numberMember('batteryLevel', { whole: true })]],
  ['fuel.level', ['fuelLevel', numberMember('fuelLevel')]],
  ['can.fuel.level', ['fuelLevel', numberMember('fuelLevel')]],
  ['engine.rpm', ['rpm', numberMember('rpm', { whole: true })]],
  ['can.engine.rpm', ['rpm', numberMember('rpm', { whole: true })]],
  ['engine.ignition.status', ['ignition', flagMember('ignition')]],
  ['movement.status', ['motion', flagMember('motion')]],
  ['device.temperature', ['deviceTemp', numberMember('deviceTemp')]],
  ['can.engine.temperature', ['engineTemp', numberMember('engineTemp')]],
  ['ibutton.code', ['driverUniqueId', textMember('driverUniqueId')]],
  ['vehicle.vin', ['vin', textMember('vin')]],
  // false may as well be a supply whose state is not known
  ['external.powersource.status', [undefined, choiceMember('charge', { true: true })]],
  ['custom.wln_accel_max', ['maxAcceleration', numberMember('maxAcceleration')]],
  ['custom.wln_brk_max', ['maxBraking', numberMember('maxBraking')]],
  ['custom.wln_crn_max', ['maxCornering', numberMember('maxCornering')]],
  ...Object.entries({
    'alarm.event.trigger': 'general',
    'towing.event.trigger': 'tow',
    'towing.alarm.status': 'tow',
    'geofence.event.enter': 'geofenceEnter',
    'geofence.event.exit': 'geofenceExit',
    'shock.event.trigger': 'vibration',
    'overspeeding.event.trigger': 'overspeed',
    'harsh.acceleration.event.trigger': 'hardAcceleration',
    'harsh.braking.event.trigger': 'hardBraking',
    'harsh.cornering.event.trigger': 'hardCornering',
    'gnss.antenna.cut.status': 'gpsAntennaCut',
    'gsm.jamming.event.trigger': 'jamming',
    'hood.open.status': 'bonnet',
  }).map(([name, alarm]) => [name, [undefined, alarmMember(alarm)]] as const),
]);

/** Parameters that have a key of the vocabulary as well as their own name; the first of a key counts. */
export const ALSO = new Map<string, readonly [key: string | undefined, use: MemberUse]>([
  ['vehicle.mileage', ['odometer', numberMember('odometer', { times: METERS_PER_KM })]],
  ['gnss.vehicle.mileage', ['odometer', numberMember('odometer', { times: METERS_PER_KM })]],
  ['can.vehicle.mileage', ['obdOdometer', numberMember('obdOdometer', { times: METERS_PER_KM })]],
  ['can.vehicle.speed', ['obdSpeed', numberMember('obdSpeed')]],
  ['can.engine.coolant.temperature', ['coolantTemp', numberMember('coolantTemp')]],
  ['can.engine.load.level', ['engineLoad', numberMember('engineLoad')]],
  ['fuel.volume', ['fuel', numberMember('fuel')]],
  ['can.fuel.volume', ['fuel', numberMember('fuel')]],
  ['can.fuel.consumed', ['fuelUsed', numberMember('fuelUsed')]],
  ['engine.motorhours', ['hours', numberMember('hours', { times: MS_PER_HOUR })]],
  ['can.engine.motorhours', ['hours', numberMember('hours', { times: MS_PER_HOUR })]],
  ['gsm.signal.dbm', ['rssi', numberMember('rssi')]],
  ['can.engine.ignition.status', ['ignition', flagMember('ignition')]],
  ['battery.charging.status', ['charge', flagMember('charge')]],
  ['rfid.code', ['driverUniqueId', textMember('driverUniqueId')]],
  // the message waited in the memory of the device
  ['message.buffered.status', ['archive', choiceMember('archive', { true: true })]],
  ...Object.entries({
    'alarm.event': 'general',
    'towing.event': 'tow',
    'shock.event': 'vibration',
    'overspeeding.event': 'overspeed',
    'harsh.acceleration.event': 'hardAcceleration',
    'harsh.braking.event': 'hardBraking',
    'harsh.cornering.event': 'hardCornering',
    'gsm.jamming.event': 'jamming',
    'accident.event': 'accident',
    'crash.event': 'accident',
  }).map(([name, alarm]) => [name, [undefined, alarmMember(alarm)]] as const),
]);
