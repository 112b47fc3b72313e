import { parseDecimal } from '../text/digits.ts';
import { type NumberType, readerOf } from './number-types.ts';
import { bytesLeft, type Field } from './scope.ts';

/** Signal strength in dBm: some leave its sign out. */
const strengthOf = (raw: number): number => 0 - Math.abs(raw);

/** Up to 31 it is the quality of +CSQ (3GPP TS 27.007, 8.5), which no cell has in dBm. */
const MAX_QUALITY = 31;
const strengthOfQuality = (raw: number): number => (raw > 0 && raw <= MAX_QUALITY ? 2 * raw - 113 : strengthOf(raw));

/** Country and network of the cells that follow. */
export function cellNetwork(mcc: NumberType, mnc: NumberType): Field {
  const [readMcc, readMnc] = [readerOf(mcc), readerOf(mnc)];
  return (scope) => {
    scope.mcc = readMcc(scope.reader);
    scope.mnc = readMnc(scope.reader);
  };
}

const CELL_PARTS = ['mcc', 'mnc', 'lac', 'cid', 'rssi'] as const;
/** `csq`: the strength, in dBm without its sign or as the quality of +CSQ */
type CellPart = (typeof CELL_PARTS)[number] | 'csq';

/**
 * A cell, its parts in the order of their bytes. Country and network are those of `cellNetwork` if they are not among
 * them; a part without a name is passed over. With `known` a cell counts only if neither lac nor cid is 0, with `lac` or
 * `cid` only if that one is not 0.
 */
export function cell(
  parts: readonly (readonly [part: CellPart | undefined, kind: NumberType])[],
  known?: 'known' | 'lac' | 'cid',
): Field {
  const readers = parts.map(([part, kind]) => ({
    place: part === undefined ? -1 : CELL_PARTS.indexOf(part === 'csq' ? 'rssi' : part),
    of: readerOf(kind),
  }));
  const isQuality = parts.some(([part]) => part === 'csq');
  const hasStrength = isQuality || parts.some(([part]) => part === 'rssi');
  const strength = isQuality ? strengthOfQuality : strengthOf;
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
        ? { mcc: country, mnc: network, lac, cid, rssi: strength(rssi) }
        : { mcc: country, mnc: network, lac, cid },
    );
  };
}

/** An access point: address, then the signal strength if there is one. */
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
