import { type Attributes, CodecError, Reader, toHex, toLatin1 } from '#codec';
import { beaconParameters } from './elements.ts';

type Parse = (value: Reader, attributes: Attributes) => void;

/** Elements of variable length (group X of codec 8 Extended). What is not here is reported as hex. */
const parsers: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [256, vin],
  [325, vin],
  [281, troubleCodes],
  [385, beacons],
  ...[548, 10828, 10829, 10831, 11317].map((id): [number, Parse] => [id, beaconParameterLists]),
]);

/** Reports element `id`, whose value is `bytes[start, end)`. One that is not as documented is reported as hex too. */
export function variableElement(
  id: number,
  bytes: Uint8Array,
  start: number,
  end: number,
  attributes: Attributes,
): void {
  const parse = parsers.get(id);
  if (parse !== undefined) {
    try {
      parse(new Reader(bytes, start, end), attributes);
      return;
    } catch (error) {
      if (!(error instanceof CodecError)) throw error;
    }
  }
  attributes[`io${id}`] = toHex(bytes, start, end);
}

function vin(value: Reader, attributes: Attributes): void {
  attributes['vin'] = value.latin1(value.remaining);
}

function troubleCodes(value: Reader, attributes: Attributes): void {
  attributes['dtcs'] = value.latin1(value.remaining).replaceAll(',', ' ');
}

/** Id 385: iBeacon and Eddystone (wiki, "How to start with Beacon sensors"). */
function beacons(value: Reader, attributes: Attributes): void {
  value.skip(1); // which part of how many
  for (let n = 1; value.remaining > 0; n++) {
    const flags = value.u8();
    if (flags >> 4 !== 0) {
      attributes[`beacon${n}Uuid`] = value.hex(16);
      attributes[`beacon${n}Major`] = value.u16();
      attributes[`beacon${n}Minor`] = value.u16();
    } else {
      attributes[`beacon${n}Namespace`] = value.hex(10);
      attributes[`beacon${n}Instance`] = value.hex(6);
    }
    attributes[`beacon${n}Rssi`] = value.i8();
    if (flags & 0x02) attributes[`beacon${n}Battery`] = value.u16() / 100;
    if (flags & 0x04) attributes[`beacon${n}Temp`] = value.u16();
  }
}

/** Ids 548, 10828 and on: for each beacon a length and parameters of id, length, value. */
function beaconParameterLists(value: Reader, attributes: Attributes): void {
  value.skip(1);
  for (let n = 1; value.remaining > 0; n++) {
    const beacon = value.slice(value.u8());
    while (beacon.remaining > 0) {
      const parameter = beacon.u8();
      beaconParameter(parameter, beacon.slice(beacon.u8()), `tag${n}`, attributes);
    }
  }
}

function beaconParameter(id: number, value: Reader, tag: string, attributes: Attributes): void {
  if (id === 2) {
    const flags = value.u8();
    if (flags & 0x40) attributes[`${tag}LowBattery`] = true;
    if (flags & 0x80) attributes[`${tag}Voltage`] = value.u8() * 10 + 2000;
    return;
  }
  const parameter = beaconParameters[id];
  if (parameter === undefined) return;
  const key = tag + parameter.name;
  switch (parameter.read) {
    case 'flag':
      attributes[key] = value.u8() > 0;
      break;
    case 'hex':
      attributes[key] = value.hex(value.remaining);
      break;
    case 'text':
      attributes[key] = value.utf8(value.remaining);
      break;
    default:
      attributes[key] = value[parameter.read]();
  }
}

/** Both halves of a driver card's number, 8 bytes each, as the text that they are; none where one is missing or all is zero. */
export function driverCard(bytes: Uint8Array, high: number, low: number | undefined): string {
  if (low === undefined) return '';
  const text = toLatin1(bytes, high, high + 8) + toLatin1(bytes, low, low + 8);
  return text === NOBODY ? '' : text;
}

const NOBODY = '\0'.repeat(16);
