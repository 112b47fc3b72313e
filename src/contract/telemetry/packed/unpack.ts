import { formatInstant, isInstant } from '../instants.ts';
import { AT, FLAG, HEAD_BYTES, LAYOUT, NUMBERS, PRESENT } from './layout.ts';

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** 22 characters of base64url: 128 bits, and four that are 0. */
export const idOf = (packed: Buffer, at = 0): string => packed.toString('base64url', at, at + 16);

/**
 * The JSON text of a packed position: the vocabulary, times as RFC 3339 UTC. Throws RangeError for other bytes (see
 * `isPacked`).
 */
export function positionJson(packed: Buffer): string {
  const view = viewOf(packed);
  if (!isPacked(view, 0, packed.length)) throw new RangeError('not a packed position');
  const present = view.getUint16(AT.present);
  const flags = view.getUint8(AT.flags);
  const instant = (name: 'deviceTime' | 'fixTime'): string =>
    present & PRESENT[name] ? `"${name}":"${formatInstant(view.getFloat64(AT[name]))}",` : '';
  const number = (name: (typeof NUMBERS)[number]): string =>
    present & PRESENT[name] ? `"${name}":${view.getFloat64(AT[name])},` : '';
  const { protocol, network, attributes } = positionPartsOf(view, 0);
  const text = (from: number, to: number): string => packed.toString('utf8', from, to);
  const imei = JSON.stringify(text(HEAD_BYTES, protocol));
  return (
    `{"id":"${idOf(packed)}","serverTime":"${formatInstant(view.getFloat64(AT.serverTime))}",` +
    // the old name of `imei` stays for the targets that read it
    `"imei":${imei},"deviceId":${imei},"protocol":${JSON.stringify(text(protocol, network))},` +
    `${instant('deviceTime')}${instant('fixTime')}"valid":${(flags & FLAG.valid) !== 0},` +
    `${flags & FLAG.outdated ? '"outdated":true,' : ''}${NUMBERS.map(number).join('')}` +
    `${present & PRESENT.network ? `"network":${text(network, attributes)},` : ''}` +
    `"attributes":${text(attributes, packed.length)}}`
  );
}

/** where the texts of a packed position begin; `attributes` run to `end` */
export interface PositionParts {
  readonly protocol: number;
  readonly network: number;
  readonly attributes: number;
  readonly end: number;
}

export function positionPartsOf(view: DataView, from: number): PositionParts {
  const protocol = from + HEAD_BYTES + view.getUint8(from + AT.deviceLength);
  const network = protocol + view.getUint8(from + AT.protocolLength);
  const attributes = network + view.getUint32(from + AT.networkLength);
  return { protocol, network, attributes, end: attributes + view.getUint32(from + AT.attributesLength) };
}

/**
 * Do the bytes `[from, to)` hold a packed position: consistent lengths, valid times, coordinates on the
 * globe, finite numbers? Its JSON texts are not parsed.
 */
export function isPacked(view: DataView, from: number, to: number): boolean {
  if (to - from < HEAD_BYTES || view.getUint8(from + AT.layout) !== LAYOUT) return false;
  if (positionPartsOf(view, from).end !== to) return false;
  const latitude = view.getFloat64(from + AT.latitude);
  const longitude = view.getFloat64(from + AT.longitude);
  if (!(latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180)) return false;
  if (!isInstant(view.getFloat64(from + AT.serverTime))) return false;
  if (!isInstant(view.getFloat64(from + AT.deviceTime)) || !isInstant(view.getFloat64(from + AT.fixTime))) return false;
  // 0 × the sum of all numbers is 0 only if every one is finite
  const nothing =
    view.getFloat64(from + AT.altitude) * 0 +
    view.getFloat64(from + AT.speed) * 0 +
    view.getFloat64(from + AT.course) * 0 +
    view.getFloat64(from + AT.accuracy) * 0;
  return nothing === 0;
}
