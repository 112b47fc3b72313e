import { type Attributes, CodecError, Draft, Reader, toHex, toLatin1 } from '#codec';
import { type Field, fieldsByNumber, layout, text } from '#codec/binary';
import { beaconParameters, beacons } from './beacons.ts';

const parameterOf = fieldsByNumber(beaconParameters);

/** For each beacon a length and parameters of id, length, value. */
const beaconLists: Field = (scope) => {
  const { reader } = scope;
  reader.skip(1);
  for (let number = 1; reader.remaining > 0; number++) {
    const beacon = reader.slice(reader.u8());
    while (beacon.remaining > 0) {
      const read = parameterOf(beacon.u8());
      const value = beacon.slice(beacon.u8());
      read?.({ ...scope, reader: value, start: value.offset, end: value.end, number });
    }
  }
};

/** Elements of variable length (group X of codec 8 Extended). What is not here is reported as hex. */
const layoutOf = fieldsByNumber({
  256: text('vin', 'rest'),
  281: text('dtcs', 'rest', { comma: ' ' }),
  325: text('vin', 'rest'),
  385: beacons,
  548: beaconLists,
  10828: beaconLists,
  10829: beaconLists,
  10831: beaconLists,
  11317: beaconLists,
});

/** Reports element `id`, whose value is `bytes[start, end)`. One that is not as documented is reported as hex too. */
export function variableElement(
  id: number,
  bytes: Uint8Array,
  start: number,
  end: number,
  attributes: Attributes,
): void {
  const read = layoutOf(id);
  if (read !== undefined) {
    try {
      layout(read)(new Reader(bytes, start, end), new Draft(attributes));
      return;
    } catch (error) {
      if (!(error instanceof CodecError)) throw error;
    }
  }
  attributes[`io${id}`] = toHex(bytes, start, end);
}

const NOBODY = '\0'.repeat(16);

/** Both halves of a driver card's number, 8 bytes each, as the text that they are; none if one is missing or all is zero. */
export function driverCard(bytes: Uint8Array, high: number, low: number | undefined): string {
  if (low === undefined) return '';
  const card = toLatin1(bytes, high, high + 8) + toLatin1(bytes, low, low + 8);
  return card === NOBODY ? '' : card;
}

const VIN = /^[0-9A-Z]{17}$/;

/** A vehicle identification number in 8, 8 and 1 bytes of text. */
export function vehicleNumber(
  bytes: Uint8Array,
  first: number | undefined,
  middle: number | undefined,
  last: number | undefined,
): string | undefined {
  if (first === undefined || middle === undefined || last === undefined) return undefined;
  const vin =
    toLatin1(bytes, first, first + 8) + toLatin1(bytes, middle, middle + 8) + String.fromCharCode(bytes[last]!);
  return VIN.test(vin) ? vin : undefined;
}
