import { type Draft, type Reader, toHex } from '#codec';

type Read = (reader: Reader, draft: Draft) => void;

/** Calls back for each bit that is set, with its number from 1. */
function eachBit(mask: number, of: (number: number) => void): void {
  for (let bit = 0; bit < 8; bit++) if (mask & (1 << bit)) of(bit + 1);
}

/** EGTS_SR_AD_SENSORS_DATA (18): eight further inputs in each ADIO, analogue inputs behind them. */
const readSensors: Read = (reader, { attributes }) => {
  const inputs = reader.u8();
  attributes['output'] = reader.u8();
  const analogue = reader.u8();
  eachBit(inputs, (number) => {
    attributes[`adio${number}`] = reader.u8();
  });
  eachBit(analogue, (number) => {
    attributes[`adc${number}`] = reader.u24LE();
  });
};

/** EGTS_SR_COUNTERS_DATA (19) */
const readCounters: Read = (reader, { attributes }) => {
  eachBit(reader.u8(), (number) => {
    attributes[`count${number}`] = reader.u24LE();
  });
};

const STATE_BYTES = 5;
/** NMS */
const RECEIVER_IS_ON = 0x04;

/** EGTS_SR_STATE_DATA (20, by some documents 21): voltages in tenths. Accelerations, which share the number, are longer. */
const readState: Read = (reader, { attributes }) => {
  if (reader.remaining !== STATE_BYTES) return;
  attributes['mode'] = reader.u8();
  attributes['power'] = reader.u8() / 10;
  attributes['backupBattery'] = reader.u8() / 10;
  attributes['battery'] = reader.u8() / 10;
  attributes['gps'] = (reader.u8() & RECEIVER_IS_ON) !== 0;
};

/** EGTS_SR_LOOPIN_DATA (22): two loops a byte; 1 alarm, 2 broken, 4 to ground, 8 to the supply. */
const readLoops: Read = (reader, { attributes }) => {
  let pair: number | undefined;
  eachBit(reader.u8(), (number) => {
    const byte = pair ?? reader.u8();
    attributes[`loop${number}`] = byte & 0x0f;
    pair = pair === undefined ? byte >> 4 : undefined;
  });
};

/** Number of one input and its state, in twelve and in four bits. */
const readNumbered = (reader: Reader): readonly [number: number, state: number] => {
  const word = reader.u16LE();
  return [word >> 4, word & 0x0f];
};

/** EGTS_SR_ABS_DIG_SENS_DATA (23) */
const readInput: Read = (reader, { attributes }) => {
  const [number, state] = readNumbered(reader);
  attributes[`in${number}`] = state !== 0;
};

/** EGTS_SR_ABS_AN_SENS_DATA (24), EGTS_SR_ABS_CNTR_DATA (25): one value, by its number. */
const readValue =
  (name: string): Read =>
  (reader, { attributes }) => {
    const number = reader.u8();
    attributes[`${name}${number}`] = reader.u24LE();
  };

/** EGTS_SR_ABS_LOOPIN_DATA (26) */
const readLoop: Read = (reader, { attributes }) => {
  const [number, state] = readNumbered(reader);
  attributes[`loop${number}`] = state;
};

const RAW = 0x08;
const SENSOR_ERROR = 0x40;
/** LLSVU: what a level is measured in */
const [PERCENT, TENTHS_OF_LITRE] = [1, 2];

/** EGTS_SR_LIQUID_LEVEL_SENSOR (27), by the number of the sensor. A level with LLSEF is not one. */
const readLiquid: Read = (reader, { attributes }) => {
  const flags = reader.u8();
  const sensor = flags & 0x07;
  reader.skip(2);
  if (flags & SENSOR_ERROR) {
    attributes[`liquid${sensor}Error`] = true;
    return;
  }
  if (flags & RAW) {
    attributes[`liquid${sensor}Raw`] = toHex(reader.view(reader.remaining));
    return;
  }
  const level = reader.u32LE();
  const unit = (flags >> 4) & 0x03;
  if (unit === PERCENT) attributes[`fuel${sensor}Level`] = level;
  else if (unit === TENTHS_OF_LITRE) attributes[`fuel${sensor}`] = level / 10;
  else attributes[`liquid${sensor}`] = level;
};

const RAW_PASSENGERS = 0x01;

/** EGTS_SR_PASSENGERS_COUNTERS (28): who came in and went out, by the door. */
const readPassengers: Read = (reader, { attributes }) => {
  const isRaw = reader.u8() & RAW_PASSENGERS;
  const doors = reader.u8();
  reader.skip(3);
  if (isRaw) {
    attributes['passengersRaw'] = toHex(reader.view(reader.remaining));
    return;
  }
  eachBit(doors, (number) => {
    attributes[`door${number}In`] = reader.u8();
    attributes[`door${number}Out`] = reader.u8();
  });
};

/** Sub-records of sensors, by their number (GOST 33472-2015, table Б.1). */
export const SENSORS: Readonly<Record<number, Read>> = {
  18: readSensors,
  19: readCounters,
  20: readState,
  21: readState,
  22: readLoops,
  23: readInput,
  24: readValue('adc'),
  25: readValue('count'),
  26: readLoop,
  27: readLiquid,
  28: readPassengers,
};
