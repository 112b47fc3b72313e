import type { Reader } from '../reader.ts';
import { toHex } from '../reader.ts';
import { type Kind, readerOf } from './kinds.ts';
import { type Field, nameIn, nameOf } from './scope.ts';

/** Signal strength in dBm: some leave its sign out. */
const strengthOf = (raw: number): number => 0 - Math.abs(raw);

/** Country and network of the cells that follow. */
export function cellOperator(mcc: Kind, mnc: Kind): Field {
  const [readMcc, readMnc] = [readerOf(mcc), readerOf(mnc)];
  return (scope) => {
    scope.mcc = readMcc(scope.reader);
    scope.mnc = readMnc(scope.reader);
  };
}

type CellPart = 'mcc' | 'mnc' | 'lac' | 'cid' | 'rssi';

/**
 * A cell, its parts in the order of their bytes; country and network are those of `cellOperator` where they are not
 * among them. With `known` one counts only where lac and cid are not 0.
 */
export function cell(parts: readonly (readonly [part: CellPart, kind: Kind])[], known?: 'known'): Field {
  const readers = parts.map(([part, kind]) => [part, readerOf(kind)] as const);
  const hasStrength = parts.some(([part]) => part === 'rssi');
  return ({ reader, into, mcc, mnc }) => {
    const read = { mcc, mnc, lac: 0, cid: 0, rssi: 0 };
    for (const [part, of] of readers) read[part] = of(reader);
    if (known !== undefined && (read.lac <= 0 || read.cid <= 0)) return;
    const { rssi, ...named } = read;
    into.addCell(hasStrength ? { ...named, rssi: strengthOf(rssi) } : named);
  };
}

/** Six bytes as `00:11:22:33:44:55`. */
export function readMac(reader: Reader): string {
  const at = reader.take(6);
  const { bytes } = reader;
  let mac = toHex(bytes, at, at + 1);
  for (let i = 1; i < 6; i++) mac += `:${toHex(bytes, at + i, at + i + 1)}`;
  return mac;
}

/** An access point: address, then signal strength where it has one. */
export function accessPoint(rssi?: Kind): Field {
  const readRssi = rssi === undefined ? undefined : readerOf(rssi);
  return ({ reader, into }) => {
    const address = readMac(reader);
    into.addAccessPoint(address, readRssi === undefined ? undefined : strengthOf(readRssi(reader)));
  };
}

/** An address under a key, with colons. */
export function mac(key: string): Field {
  const name = nameOf(key);
  return (scope) => {
    const address = readMac(scope.reader);
    scope.into.attributes[nameIn(name, scope)] = address;
  };
}
