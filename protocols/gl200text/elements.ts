/** Models by the head of the protocol version: six characters of long versions, two of short ones. */
export const MODELS: ReadonlyMap<string, string> = new Map([
  ['02', 'GL200'],
  ['21', 'GL200'],
  ['04', 'GV200'],
  ['35', 'GV200'],
  ['06', 'GV300'],
  ['25', 'GV300'],
  ['07', 'GT500'],
  ['08', 'GMT100'],
  ['3F', 'GMT100'],
  ['97', 'GL30MEU'],
  ['09', 'GV50P'],
  ['0F', 'GV55'],
  ['2F', 'GV55'],
  ['10', 'GV55 LITE'],
  ['11', 'GL500'],
  ['40', 'GL500'],
  ['1A', 'GL300'],
  ['30', 'GL300'],
  ['1F', 'GV500'],
  ['36', 'GV500'],
  ['27', 'GV300W'],
  ['28', 'GL300VC'],
  ['2C', 'GL300W'],
  ['2D', 'GV500VC'],
  ['31', 'GV65'],
  ['41', 'GV75W'],
  ['42', 'GT501'],
  ['44', 'GL530'],
  ['45', 'GB100'],
  ['4F', 'GV56'],
  ['50', 'GV55W'],
  ['52', 'GL50'],
  ['55', 'GL50B'],
  ['56', 'GV500MA'],
  ['5E', 'GV500MAP'],
  ['6E', 'GV310LAU'],
  ['BD', 'CV200'],
  ['C2', 'GV600M'],
  ['C3', 'GL320M'],
  ['DC', 'GV600MG'],
  ['DE', 'GL500M'],
  ['DF', 'CV100LG'],
  ['F1', 'GV350M'],
  ['F8', 'GV800W'],
  ['FC', 'GV600W'],
  ['74', 'GV350CEU'],
  ['F5', 'GL300M'],
  ['802003', 'GV58CEU'],
  ['802004', 'GV58LAU'],
  ['802005', 'GV355CEU'],
  ['802006', 'GV57CG'],
  ['80201C', 'GV30CAU'],
  ['80201E', 'GV30CEU'],
  ['802021', 'GV30CAU'],
]);

/** Alarms by message type. */
export const ALARMS: ReadonlyMap<string, string> = new Map([
  ['SOS', 'sos'],
  ['SPD', 'overspeed'],
  ['TOW', 'tow'],
  ['IDL', 'idle'],
  ['IDN', 'idle'],
  ['PNA', 'powerOn'],
  ['PFA', 'powerOff'],
  ['EPN', 'powerRestored'],
  ['MPN', 'powerRestored'],
  ['EPF', 'powerCut'],
  ['MPF', 'powerCut'],
  ['BPL', 'lowBattery'],
  // coming to rest does not count
  ['STT', 'movement'],
  ['SWG', 'geofence'],
  ['GIN', 'geofenceEnter'],
  ['GOT', 'geofenceExit'],
  ['TMP', 'temperature'],
  ['TEM', 'temperature'],
  ['JDR', 'jamming'],
  ['FLA', 'fuelLeak'],
  ['CRA', 'accident'],
]);

/** Alarms of a fence (GEO), by the last digit of its report. */
export const FENCE_ALARMS: Readonly<Record<string, string>> = { '0': 'geofenceExit', '1': 'geofenceEnter' };

/** Alarms of harsh driving (HBM), by the low digit of its report. */
export const HARSH: readonly (string | undefined)[] = [
  'hardBraking',
  'hardAcceleration',
  'hardCornering',
  'hardBraking',
  'hardAcceleration',
];

/** States of the device: ignition and motion, where they say either. The first digit is 1 without and 2 with ignition. */
export const STATES: Readonly<Record<string, Readonly<Record<string, boolean>>>> = {
  '11': { ignition: false, motion: false },
  '12': { ignition: false, motion: true },
  '16': { ignition: false, motion: true },
  '1A': { ignition: false, motion: true },
  '21': { ignition: true, motion: false },
  '22': { ignition: true, motion: true },
  '41': { motion: false },
  '42': { motion: true },
};

/** The state of a vehicle that is towed. */
export const TOWED = '16';
