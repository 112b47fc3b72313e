import { isInstant } from '../instants.ts';

/**
 * A frame as gateway, spool and API exchange it: what a device sent, byte by byte, and over what. Big-endian:
 *
 *      0  double  when it was read, epoch ms by the clock of the gateway
 *      8  u8      layout, 1
 *      9  u8      transport, as in TRANSPORTS
 *     10  u8      length of the device's id; 0 before the device is identified
 *     11  u8      length of the connection's id
 *     12  u8      length of the protocol's name
 *     13  u8      length of the peer's address
 *     14  u16     0
 *     16  …       device id, connection, protocol, peer, in visible ASCII; then the frame to the end
 */
export const FRAME_HEAD_BYTES = 16;
export const FRAME_AT = {
  at: 0,
  layout: 8,
  transport: 9,
  deviceLength: 10,
  connLength: 11,
  protocolLength: 12,
  remoteLength: 13,
  reserved: 14,
} as const;
export const TRANSPORTS = ['tcp', 'udp', 'http'] as const;

const LAYOUT = 1;
/** characters, as the contract has them for an event in JSON */
const MOST = { imei: 64, conn: 64, protocol: 32, remote: 64 } as const;

export interface FrameHead {
  /** epoch ms */
  readonly at: number;
  readonly imei: string | undefined;
  readonly conn: string;
  readonly protocol: string;
  readonly transport: (typeof TRANSPORTS)[number];
  readonly remote: string;
}

const head = Buffer.alloc(FRAME_HEAD_BYTES + MOST.imei + MOST.conn + MOST.protocol + MOST.remote);
const VISIBLE = /^[!-~]*$/;
const areShort = (imei: number, conn: number, protocol: number, remote: number): boolean =>
  imei <= MOST.imei && conn <= MOST.conn && protocol <= MOST.protocol && remote <= MOST.remote;

/** Undefined where one of the texts cannot be packed: then the frame is sent as JSON. */
export function packFrame(
  { at, imei = '', conn, protocol, transport, remote }: FrameHead,
  bytes: Uint8Array,
): Buffer | undefined {
  const texts = imei + conn + protocol + remote;
  if (!areShort(imei.length, conn.length, protocol.length, remote.length) || !VISIBLE.test(texts)) return undefined;
  head.writeDoubleBE(at, FRAME_AT.at);
  head[FRAME_AT.layout] = LAYOUT;
  head[FRAME_AT.transport] = TRANSPORTS.indexOf(transport);
  head[FRAME_AT.deviceLength] = imei.length;
  head[FRAME_AT.connLength] = conn.length;
  head[FRAME_AT.protocolLength] = protocol.length;
  head[FRAME_AT.remoteLength] = remote.length;
  const end = FRAME_HEAD_BYTES + head.write(texts, FRAME_HEAD_BYTES, 'latin1');
  const packed = Buffer.allocUnsafe(end + bytes.length);
  head.copy(packed, 0, 0, end);
  packed.set(bytes, end);
  return packed;
}

/** where the parts of a packed frame begin; `bytes` runs to its end */
export interface FrameParts {
  readonly conn: number;
  readonly protocol: number;
  readonly remote: number;
  readonly bytes: number;
}

export function framePartsOf(view: DataView, from: number): FrameParts {
  const conn = from + FRAME_HEAD_BYTES + view.getUint8(from + FRAME_AT.deviceLength);
  const protocol = conn + view.getUint8(from + FRAME_AT.connLength);
  const remote = protocol + view.getUint8(from + FRAME_AT.protocolLength);
  return { conn, protocol, remote, bytes: remote + view.getUint8(from + FRAME_AT.remoteLength) };
}

/** Do the bytes `[from, to)` hold a packed frame: consistent lengths, a valid time, visible and short texts? */
export function isPackedFrame(view: DataView, from: number, to: number): boolean {
  if (to - from < FRAME_HEAD_BYTES || view.getUint8(from + FRAME_AT.layout) !== LAYOUT) return false;
  if (view.getUint8(from + FRAME_AT.transport) >= TRANSPORTS.length) return false;
  const at = view.getFloat64(from + FRAME_AT.at);
  if (at < 0 || !isInstant(at)) return false;
  const { conn, protocol, remote, bytes } = framePartsOf(view, from);
  if (!areShort(conn - from - FRAME_HEAD_BYTES, protocol - conn, remote - protocol, bytes - remote)) return false;
  if (bytes > to) return false;
  for (let i = from + FRAME_HEAD_BYTES; i < bytes; i++) {
    const character = view.getUint8(i);
    if (character < 0x21 || character > 0x7e) return false;
  }
  return true;
}

/** The head of a packed frame and its bytes, which are not copied. Throws RangeError for other bytes. */
export function unpackFrame(packed: Buffer): { readonly head: FrameHead; readonly bytes: Buffer } {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  if (!isPackedFrame(view, 0, packed.length)) throw new RangeError('not a packed frame');
  const { conn, protocol, remote, bytes } = framePartsOf(view, 0);
  const text = (from: number, to: number): string => packed.toString('latin1', from, to);
  const head: FrameHead = {
    at: view.getFloat64(FRAME_AT.at),
    imei: text(FRAME_HEAD_BYTES, conn) || undefined,
    conn: text(conn, protocol),
    protocol: text(protocol, remote),
    transport: TRANSPORTS[view.getUint8(FRAME_AT.transport)]!,
    remote: text(remote, bytes),
  };
  return { head, bytes: packed.subarray(bytes) };
}

/** The JSON text of a packed frame: a gateway's event. Throws RangeError for other bytes. */
export function frameJson(packed: Buffer): string {
  const { head, bytes } = unpackFrame(packed);
  return JSON.stringify({ type: 'frame', ...head, bytes: bytes.toString('base64') });
}
