import { parseDecimal } from '../text/digits.ts';
import { type NumberType, readerOf } from './number-types.ts';
import { bytesLeft, type Field, nameIn, nameOf } from './scope.ts';

/** Signal strength in dBm: some leave its sign out. */
const strengthOf = (raw: number): number => 0 - Math.abs(raw);

/** Country and network of the cells that follow. */
export function cellNetwork(mcc: NumberType, mnc: NumberType): Field {
  const [readMcc, readMnc] = [readerOf(mcc), readerOf(mnc)];
  return (scope) => {
    scope.mcc = readMcc(scope.reader);
    scope.mnc = readMnc(scope.reader);
  };
}

const CELL_PARTS = ['mcc', 'mnc', 'lac', 'cid', 'rssi'] as const;
type CellPart = (typeof CELL_PARTS)[number];

/**
 * A cell, its parts in the order of their bytes; country and network are those of `cellOperator` where they are not
 * among them, and a part without a name is passed over. With `known` one counts only where lac and cid are not 0, with
 * the name of one of them where that is not.
 */
export function cell(
  parts: readonly (readonly [part: CellPart | undefined, kind: NumberType])[],
  known?: 'known' | 'lac' | 'cid',
): Field {
  const readers = parts.map(([part, kind]) => ({
    place: part === undefined ? -1 : CELL_PARTS.indexOf(part),
    of: readerOf(kind),
  }));
  const hasStrength = parts.some(([part]) => part === 'rssi');
  const needsLac = known === 'known' || known === 'lac';
  const needsCid = known === 'known' || known === 'cid';
  return ({ reader, into, mcc, mnc }) => {
    const found: [mcc: number, mnc: number, lac: number, cid: number, rssi: number] = [mcc, mnc, 0, 0, 0];
    for (const { place, of } of readers) {
      const value = of(reader);
      if (place >= 0) found[place] = value;
    }
    const [country, network, lac, cid, rssi] = found;
    if ((needsLac && lac <= 0) || (needsCid && cid <= 0)) return;
    into.addCell(
      hasStrength
        ? { mcc: country, mnc: network, lac, cid, rssi: strengthOf(rssi) }
        : { mcc: country, mnc: network, lac, cid },
    );
  };
}

/** An access point: address, then signal strength where it has one. */
export function accessPoint(rssi?: NumberType): Field {
  const readRssi = rssi === undefined ? undefined : readerOf(rssi);
  return ({ reader, into }) => {
    const address = reader.mac();
    into.addAccessPoint(address, readRssi === undefined ? undefined : strengthOf(readRssi(reader)));
  };
}

const ADDRESS = /^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/i;

/** The rest of the part is text of access points: `address,strength,address,strength…`. What is neither is left out. */
export const accessPointTexts: Field = (scope) => {
  const fields = scope.reader.latin1(bytesLeft(scope)).split(',');
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const rssi = parseDecimal(fields[at + 1]!);
    if (rssi !== undefined && ADDRESS.test(fields[at]!)) scope.into.addAccessPoint(fields[at]!, strengthOf(rssi));
  }
};

/** An address under a key, with colons. */
export function mac(key: string): Field {
  const name = nameOf(key);
  return (scope) => {
    const address = scope.reader.mac();
    scope.into.attributes[nameIn(name, scope)] = address;
  };
}
