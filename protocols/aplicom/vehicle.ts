import { type Draft, type Reader, readOptional } from '#codec';
import { type Block, deviceTime, inOrder, type Read, readBlocks, skip, textIfAny, trimmed, values } from './blocks.ts';

const readClock: Read = (reader, { attributes }) => {
  const parts = ['s', 'm', 'h', 'M', 'D', 'Y'].map((unit) => `${reader.u8()}${unit}`);
  attributes['tachographTime'] = [...parts, `${reader.i8()}m`, `${reader.i8()}h`].join(' ');
};

const readFactor: Read = (reader, { attributes }) => {
  const text = String(reader.u16() / 1000);
  attributes['kFactor'] = `${text.includes('.') ? text : `${text}.0`} pulses/m`;
};

const card = (key: string): Read => inOrder(skip(2), textIfAny(key, 20));

const readDrivers: Read = (reader, { attributes }) => {
  const count = reader.u8();
  for (let n = 1; n <= count; n++) {
    const name = trimmed(reader, 22);
    attributes[`driver${n}`] = name;
    attributes[`driverTime${n}`] = reader.u32();
  }
};

/** E: the tachograph. Source: protocol document, message E. */
const TACHOGRAPH: readonly Block[] = [
  [0x08, values(['u16', 'tachographEvent'])],
  [0x04, deviceTime],
  [0x10, readClock],
  [0, values(['u8', 'workState'], ['u8', 'driver1State'], ['u8', 'driver2State'])],
  [0x20, values(['u8', 'tachographStatus'])],
  [0x40, values(['u16', 'obdSpeed', 1, 256])],
  [0x80, values(['u32', 'obdOdometer', 5])],
  [0x100, values(['u32', 'tripOdometer', 5])],
  [0x8000, readFactor],
  [0x200, values(['u16', 'rpm', 0.125])],
  [0x400, values(['u16', 'extraInfo'])],
  [0x800, textIfAny('vin', 18)],
  [0x2000, card('card1')],
  [0x4000, card('card2')],
  [0x1_0000, readDrivers],
];

const HOUR_MS = 3_600_000;

const readAxles: Read = (reader, { attributes }) => {
  const count = reader.u8();
  for (let n = 0; n < count; n++) attributes[`axle${n}`] = reader.u16();
};

/** F: the vehicle's bus (FMS). Source: protocol document, message F. */
const BUS: readonly Block[] = [
  [0x04, deviceTime],
  [0, skip(1)],
  [0x08, values(['u16', 'rpm'], ['u16', 'rpmMax'], ['u16', 'rpmMin'])],
  [0x10, values(['i16', 'engineTemp'], ['i16', 'engineTempMax'], ['i16', 'engineTempMin'])],
  [
    0x20,
    values(
      ['u32', 'hours', HOUR_MS],
      ['i32', 'serviceDistance'],
      ['u8', 'driverActivity'],
      ['u8', 'throttle'],
      ['u8', 'fuelLevel'],
    ),
  ],
  [0x40, values(['u32', 'fuelUsed'])],
  [0x80, values(['u32', 'odometer'])],
  [0x100, values(['u8', 'obdSpeed'], ['u8', 'speedMax'], ['u8', 'speedMin'], ['u8', 'hardBraking'])],
  [
    0x200,
    values(
      ['u8', 'tachographSpeed'],
      ['u8', 'driver1State'],
      ['u8', 'driver2State'],
      ['u8', 'tachographStatus'],
      ['u8', 'overspeedCount'],
    ),
  ],
  [
    0x800,
    values(
      ['u32', 'hours', HOUR_MS, 20],
      ['u16', 'rpm', 0.125],
      ['u16', 'obdSpeed', 1, 256],
      ['u32', 'fuelUsed', 0.5],
      ['u8', 'fuelLevel', 0.4],
    ),
  ],
  [
    0x1000,
    inOrder(
      (reader, { attributes }) => {
        attributes['ambientTemperature'] = reader.u16() * 0.03125 - 273;
      },
      skip(2),
      values(['u16', 'fuelEconomy', 1, 512], ['u32', 'fuelConsumption', 1, 1000]),
      skip(1),
    ),
  ],
  [0x2000, (reader) => reader.skip(reader.u8())],
  [
    0x4000,
    inOrder(
      values(
        ['u8', 'torque'],
        ['u8', 'brakePressure1', 8],
        ['u8', 'brakePressure2', 8],
        ['u16', 'grossWeight', 10],
        ['u8', 'exhaustFluid', 0.4],
      ),
      skip(1),
      values(['u8', 'retarderTorque'], ['u8', 'retarderSelection', 0.4]),
      skip(32),
    ),
  ],
  [
    0x8000,
    inOrder(
      values(['u8', 'parkingBrakeStatus'], ['u8', 'doorStatus']),
      skip(8),
      values(['u8', 'alternatorStatus'], ['u8', 'selectedGear'], ['u8', 'currentGear']),
      skip(8),
    ),
  ],
  [0x400, readAxles],
];

export const readTachograph = (reader: Reader, draft: Draft, selector: number): void =>
  readOptional(() => readBlocks(reader, draft, selector, TACHOGRAPH));

export const readBus = (reader: Reader, draft: Draft, selector: number): void =>
  readOptional(() => readBlocks(reader, draft, selector, BUS));
