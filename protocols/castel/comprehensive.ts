import { CodecError, type Draft, type Reader } from '#codec';
import { applyAlarm } from './blocks.ts';

/** bytes that may stand behind the last entry */
const REST = 4;

/** Entries of 401F, each with tag and length; an entry that cannot be read does not hold up the others. */
export function readEntries(reader: Reader, draft: Draft): void {
  while (reader.remaining > REST) {
    const tag = reader.u16LE();
    const value = reader.slice(Math.min(reader.u16LE(), reader.remaining));
    try {
      ENTRIES[tag]?.(value, draft);
    } catch (error) {
      if (!(error instanceof CodecError)) throw error;
    }
  }
}

const ENTRIES: Readonly<Record<number, (reader: Reader, draft: Draft) => void>> = {
  0x0002: readPids,
  0x0006: (reader, draft) => readFaults(reader, draft, () => reader.u16LE()),
  0x0007: readAlarms,
  0x000b: (reader, draft) => readFaults(reader, draft, () => reader.u32LE()),
  0x0010: tenths('deviceTemp'),
  0x0011: tenths('temp1'),
  0x0012: tenths('temp2'),
  0x0013: tenths('temp3'),
  0x0014: tenths('temp4'),
  0x0020: volts('power'),
  0x0021: volts('battery'),
};

function tenths(key: string) {
  return (reader: Reader, { attributes }: Draft): void => {
    attributes[key] = reader.i16LE() / 10;
  };
}

function volts(key: string) {
  return (reader: Reader, { attributes }: Draft): void => {
    attributes[key] = reader.u16LE() / 100;
  };
}

function readPids(reader: Reader, { attributes }: Draft): void {
  for (let count = reader.u8(); count > 0; count--) {
    const pid = reader.u16LE();
    attributes[`pid${pid}`] = reader.hex(reader.u16LE());
  }
}

function readFaults(reader: Reader, { attributes }: Draft, next: () => number): void {
  reader.skip(1);
  const count = reader.u8();
  for (let n = 1; n <= count; n++) attributes[`fault${n}`] = next();
}

function readAlarms(reader: Reader, draft: Draft): void {
  reader.skip(4);
  for (let count = reader.u8(); count > 0; count--) {
    const flag = reader.u8();
    const code = reader.u8();
    reader.skip(4);
    if (flag > 0) applyAlarm(code, draft);
  }
}
