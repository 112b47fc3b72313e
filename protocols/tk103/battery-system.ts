import { type Attributes, fromHex, type Position, Reader, readOptional, statusPosition } from '#codec';

const tenths = (reader: Reader): number => reader.u16LE() / 10;
const volts = (reader: Reader): number => reader.u16LE() / 1000;
const celsius = (reader: Reader): number => reader.u8() - 40;

/** Entries of BS51, by their hex key. Source: protocol document, battery management. */
const ENTRIES: Readonly<Record<string, (reader: Reader, attributes: Attributes) => void>> = {
  90: (reader, attributes) => {
    attributes['cumulativeVoltage'] = tenths(reader);
    attributes['gatherVoltage'] = tenths(reader);
    attributes['current'] = (reader.u16LE() - 30_000) / 10;
    attributes['soc'] = tenths(reader);
  },
  91: (reader, attributes) => {
    attributes['maxCellVoltage'] = volts(reader);
    attributes['maxCellVoltageCount'] = reader.u8();
    attributes['minCellVoltage'] = volts(reader);
    attributes['minCellVoltageCount'] = reader.u8();
  },
  92: (reader, attributes) => {
    attributes['maxTemp'] = celsius(reader);
    attributes['maxTempCount'] = reader.u8();
    attributes['minTemp'] = celsius(reader);
    attributes['minTempCount'] = reader.u8();
  },
  96: (reader, attributes) => {
    reader.skip(1);
    for (let number = 1; reader.remaining > 0; number++) attributes[`cellTemp${number}`] = celsius(reader);
  },
};

/** BS51: entries `KK:HEX`. */
export function readEntries(content: string): Position {
  const attributes: Attributes = {};
  for (const entry of content.split(',')) {
    const [key = '', hex = ''] = entry.split(':');
    readOptional(() => ENTRIES[key]?.(new Reader(fromHex(hex)), attributes));
  }
  return statusPosition(attributes);
}

const CELLS = 24;
const TEMPERATURES = 7;

/** BS50: one block of bytes. */
export function readBlock(content: string): Position {
  const attributes: Attributes = {};
  const reader = new Reader(fromHex(content));
  readOptional(() => {
    reader.skip(3);
    const cells = reader.u8();
    for (let number = 1; number <= CELLS; number++) {
      const voltage = volts(reader);
      if (number <= cells) attributes[`battery${number}`] = voltage;
    }
    attributes['charge'] = reader.u8() === 0;
    attributes['current'] = tenths(reader);
    attributes['battery'] = reader.u16LE() / 100;
    attributes['batteryLevel'] = reader.u8();
    for (const key of ['batteryOverheat', 'chargeProtection', 'dischargeProtection']) attributes[key] = reader.u8() > 0;
    reader.skip(2);
    attributes['cycles'] = reader.u16LE();
    attributes['faultAlarm'] = reader.u8();
    reader.skip(6);
    const temperatures = reader.u8();
    attributes['powerTemp'] = celsius(reader);
    attributes['equilibriumTemp'] = celsius(reader);
    for (let number = 1; number <= TEMPERATURES; number++) {
      const temperature = celsius(reader);
      if (number <= temperatures) attributes[`batteryTemp${number}`] = temperature;
    }
    attributes['calibrationCapacity'] = reader.u16LE() / 100;
    attributes['dischargeCapacity'] = reader.u32LE();
  });
  return statusPosition(attributes);
}
