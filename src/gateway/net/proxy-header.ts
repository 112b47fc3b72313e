import { isIP } from 'node:net';

/**
 * PROXY protocol, versions 1 and 2 (haproxy, doc/proxy-protocol.txt, sections 2.1 and 2.2): the peer whose
 * connection a load balancer forwards.
 */
export type ProxyHeader =
  | { readonly type: 'more' }
  | { readonly type: 'invalid' }
  /** `remote` is absent if the load balancer itself is the peer (UNKNOWN, LOCAL) */
  | { readonly type: 'header'; readonly bytes: number; readonly remote?: string };

const SIGNATURE = [0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a];
const MAX_V1_BYTES = 107;
const MORE: ProxyHeader = { type: 'more' };
const INVALID: ProxyHeader = { type: 'invalid' };

/** Reads the header at the start of a connection. The first byte distinguishes the versions. */
export function readProxyHeader(bytes: Uint8Array): ProxyHeader {
  if (bytes.length === 0) return MORE;
  return bytes[0] === 0x50 ? readV1(bytes) : readV2(bytes);
}

function readV1(bytes: Uint8Array): ProxyHeader {
  const end = bytes.indexOf(0x0a);
  if (end < 0) return bytes.length >= MAX_V1_BYTES ? INVALID : MORE;
  if (end >= MAX_V1_BYTES || bytes[end - 1] !== 0x0d) return INVALID;
  const fields = Buffer.from(bytes.subarray(0, end - 1))
    .toString('latin1')
    .split(' ');
  if (fields[0] !== 'PROXY') return INVALID;
  if (fields[1] === 'UNKNOWN') return { type: 'header', bytes: end + 1 };
  const [, family, source, , port] = fields;
  if (fields.length !== 6 || (family !== 'TCP4' && family !== 'TCP6')) return INVALID;
  if (isIP(source ?? '') !== (family === 'TCP4' ? 4 : 6)) return INVALID;
  if (!/^\d{1,5}$/.test(port ?? '') || Number(port) > 0xffff) return INVALID;
  return { type: 'header', bytes: end + 1, remote: address(source!, Number(port)) };
}

function readV2(bytes: Uint8Array): ProxyHeader {
  for (let at = 0; at < SIGNATURE.length && at < bytes.length; at++) if (bytes[at] !== SIGNATURE[at]) return INVALID;
  if (bytes.length < 16) return MORE;
  const version = bytes[12]! >> 4;
  const command = bytes[12]! & 0x0f;
  if (version !== 2 || command > 1) return INVALID;
  const length = (bytes[14]! << 8) | bytes[15]!;
  const whole = 16 + length;
  if (whole > 4096) return INVALID;
  if (bytes.length < whole) return MORE;
  if (command === 0) return { type: 'header', bytes: whole };
  const family = bytes[13]! >> 4;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset + 16, length);
  if (family === 1) {
    if (length < 12) return INVALID;
    return { type: 'header', bytes: whole, remote: address(view.subarray(0, 4).join('.'), view.readUInt16BE(8)) };
  }
  if (family === 2) {
    if (length < 36) return INVALID;
    const groups = Array.from({ length: 8 }, (_, i) => view.readUInt16BE(2 * i).toString(16));
    return { type: 'header', bytes: whole, remote: address(groups.join(':'), view.readUInt16BE(32)) };
  }
  return { type: 'header', bytes: whole };
}

const address = (host: string, port: number): string => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);
