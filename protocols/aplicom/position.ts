import { type Draft, type Reader, readOptional, toHex } from '#codec';
import { type Block, deviceTime, EB, inOrder, type Read, readBlocks, skip, type Value, values } from './blocks.ts';

const FIX = 0x08;
/** Flags of the receiver: a speed, and the highest one, above 255 km/h; jamming; a fix. */
const [FAST, FASTEST, JAMMED, VALID] = [0x01, 0x02, 0x08, 0x40];
const OVERFLOW = 256;
const MAX_DATA_BYTES = 1_024;
const [DATA, BRAKES] = [119, 188];

const voltages: Read = values(['u16', 'power', 1, 1000], ['u16', 'battery', 1, 1000]);

const readFix: Read = (reader, draft) => {
  const time = reader.u32() * 1000;
  draft.setFix(time, draft.valid, reader.i32() / 1e6, reader.i32() / 1e6);
  draft.attributes['satVisible'] = reader.u8();
};

const readMovement: Read = (reader, draft) => {
  const flags = Number(draft.attributes['gps'] ?? 0);
  draft.speed = reader.u8() + (flags & FAST ? OVERFLOW : 0);
  draft.attributes['maximumSpeed'] = reader.u8() + (flags & FASTEST ? OVERFLOW : 0);
  draft.course = reader.u8() * 2;
};

const IGNITION = 0x80;

const readInputs: Read = (reader, { attributes }) => {
  const input = reader.u8();
  attributes['input'] = input;
  attributes['ignition'] = (input & IGNITION) !== 0;
};

/** The halves of the id, each in decimal: the upper one is written as it counts. Zeros: nobody has identified himself. */
const readDriver: Read = (reader, { attributes }) => {
  const upper = reader.u16() * 0x1_0000_0000;
  const lower = reader.u32();
  if (upper + lower > 0) attributes['driverUniqueId'] = `${upper}${lower}`;
};

const REGISTERED = 0x01;

/** Flags, MCC and MNC as one decimal number (24491: 244, 91), area, cell, strength. */
const readCell: Read = (reader, draft) => {
  const isRegistered = (reader.u8() & REGISTERED) !== 0;
  const network = reader.u24();
  const perCountry = network < 100_000 ? 100 : 1000;
  const [lac, cid] = [reader.u16(), reader.u32()];
  const rssi = reader.i8();
  if (!isRegistered) return;
  draft.addCell({ mcc: Math.floor(network / perCountry), mnc: network % perCountry, lac, cid });
  draft.attributes['rssi'] = rssi;
};

const readAltitude: Read = (reader, draft) => {
  draft.altitude = reader.i16();
};

/** D: the place and what is wired. Source: protocol document, message D. */
const BLOCKS: readonly Block[] = [
  [
    FIX,
    (reader, draft) => {
      const flags = reader.u8();
      draft.attributes['gps'] = flags;
      draft.valid = (flags & VALID) !== 0;
      if (flags & JAMMED) draft.addAlarm('jamming');
    },
  ],
  [0x04, deviceTime],
  [FIX, readFix],
  [0x10, readMovement],
  [0x40, readInputs],
  [0x20, values(['u16', 'adc1'], ['u16', 'adc2'], ['u16', 'adc3'], ['u16', 'adc4'])],
  [0x8000, voltages],
  [0x1_0000, skip(6)],
  [0x2_0000, skip(6)],
  [0x80, values(['u32', 'trip1'])],
  [0x100, values(['u32', 'trip2'])],
  [0x40, values(['u8', 'output'])],
  [0x200, readDriver],
  [0x400, skip(1)],
  [0x800, readAltitude],
  [0x2000, values(['u16', 'index'])],
  [0x4000, skip(8)],
  [0x8_0000, readCell],
  [0x1000, readEvent],
];

export function readPosition(reader: Reader, draft: Draft, selector: number): void {
  readOptional(() => readBlocks(reader, draft, selector, BLOCKS));
}

function readEvent(reader: Reader, draft: Draft): void {
  const event = draft.attributes['event'];
  if (event === DATA) draft.attributes['eventData'] = toHex(reader.view(Math.min(reader.remaining, MAX_DATA_BYTES)));
  else if (event === BRAKES) readBrakes(reader, draft);
}

/** Electronic brakes of a trailer: position, type, length, data. */
function readBrakes(reader: Reader, draft: Draft): void {
  if (reader.u8() !== EB[0] || reader.u8() !== EB[1]) return;
  BRAKE_HEAD(reader, draft);
  while (reader.remaining >= 3) {
    reader.skip(1);
    const type = reader.u8();
    const content = reader.slice(Math.min(reader.u8(), reader.remaining));
    readOptional(() => BRAKE_ITEMS[type]?.(content, draft));
  }
}

const BRAKE_HEAD: Read = inOrder(
  values(['u8', 'versionFw'], ['u16', 'event'], ['u8', 'dataValidity'], ['u8', 'towed']),
  skip(2),
);

const hex =
  (key: string): Read =>
  (reader, { attributes }) => {
    attributes[key] = toHex(reader.view(reader.remaining));
  };

const wheels: readonly Value[] = [['u16', 'wheelSpeed', 1, 256]];

const BRAKE_ITEMS: Readonly<Record<number, Read>> = {
  0x01: hex('brakeFlags'),
  0x02: inOrder(
    values(...wheels),
    (reader, { attributes }) => {
      attributes['wheelSpeedDifference'] = reader.u16() / 256 - 125;
      attributes['lateralAcceleration'] = reader.u8() / 10 - 12.5;
    },
    values(['u16', 'vehicleSpeed', 1, 256]),
  ),
  0x03: values(['u16', 'axleWeight', 2]),
  0x04: values(['u8', 'tirePressure', 10], ['u8', 'pneumaticPressure', 5]),
  0x05: values(['u8', 'brakeLining', 0.4], ['u8', 'brakeTemperature', 10]),
  0x06: inOrder(values(['u32', 'odometer', 5], ['u32', 'tripOdometer', 5]), (reader, { attributes }) => {
    // Counts down from the service; in kilometres it may have been passed.
    attributes['serviceOdometer'] = (reader.u32() - 2_105_540_607) * 5;
  }),
  0x0a: values(['u16', 'absStatusCounter'], ['u16', 'atvbStatusCounter'], ['u16', 'vdcActiveCounter']),
  0x0b: hex('brakeMinMaxData'),
  0x0c: hex('missingPgn'),
  0x0d: inOrder(skip(1), values(['u32', 'towedDetectionStatus'])),
};
