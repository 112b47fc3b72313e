import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { time } from '../layout/layout.ts';
import { type Certificate, hexOf, type PublicKey } from './certificate.ts';

/** Appendix 11, part B: card verifiable certificates over elliptic curves. */
interface Curve {
  readonly name: string;
  readonly bits: number;
  readonly hash: PublicKey['hash'];
}

/** By object identifier, hexadecimal without its tag. The hash goes with the size of the signer's key. */
export const CURVES: ReadonlyMap<string, Curve> = new Map([
  ['2b2403030208010107', { name: 'brainpoolP256r1', bits: 256, hash: 'sha256' }],
  ['2b240303020801010b', { name: 'brainpoolP384r1', bits: 384, hash: 'sha384' }],
  ['2b240303020801010d', { name: 'brainpoolP512r1', bits: 512, hash: 'sha512' }],
  ['2a8648ce3d030107', { name: 'prime256v1', bits: 256, hash: 'sha256' }],
  ['2b81040022', { name: 'secp384r1', bits: 384, hash: 'sha384' }],
  ['2b81040023', { name: 'secp521r1', bits: 521, hash: 'sha512' }],
]);

/** Tags of a certificate, in the order in which they lie. */
export const TAG = {
  certificate: 0x7f21,
  body: 0x7f4e,
  profile: 0x5f29,
  issuer: 0x42,
  authorisation: 0x5f4c,
  publicKey: 0x7f49,
  curve: 0x06,
  point: 0x86,
  holder: 0x5f20,
  from: 0x5f25,
  to: 0x5f24,
  signature: 0x5f37,
} as const;

interface Element {
  readonly tag: number;
  /** The whole element with its tag and length. */
  readonly all: Uint8Array;
  readonly value: Uint8Array;
}

/** Elements one after the other; `undefined` where one does not fit. */
function elements(bytes: Uint8Array): Map<number, Element> | undefined {
  const found = new Map<number, Element>();
  let at = 0;
  while (at < bytes.length) {
    const start = at;
    let tag = bytes[at++]!;
    if ((tag & 0x1f) === 0x1f) tag = (tag << 8) | (bytes[at++] ?? 0);
    let length = bytes[at++] ?? 0x80;
    if (length >= 0x80) {
      const count = length & 0x7f;
      if (count < 1 || count > 2) return undefined;
      length = 0;
      for (let i = 0; i < count; i++) length = length * 256 + (bytes[at++] ?? 0);
    }
    if (at + length > bytes.length) return undefined;
    found.set(tag, { tag, all: bytes.subarray(start, at + length), value: bytes.subarray(at, at + length) });
    at += length;
  }
  return found;
}

/** A certificate with its holder and key in plain text; the issuer's key proves whether they are authentic. */
export interface OpenCertificate extends Certificate {
  readonly holder: string;
  readonly claimed: PublicKey;
}

export function eccCertificate(bytes: Uint8Array): OpenCertificate | undefined {
  const certificate = elements(bytes)?.get(TAG.certificate);
  const parts = certificate && elements(certificate.value);
  const body = parts?.get(TAG.body);
  const fields = body && elements(body.value);
  const signature = parts?.get(TAG.signature)?.value;
  const issuer = fields?.get(TAG.issuer)?.value;
  if (body === undefined || fields === undefined || signature === undefined || issuer === undefined) return undefined;
  const claimed = keyOf(fields);
  if (claimed === undefined) return undefined;
  const open = (key: PublicKey): PublicKey | undefined => (verifies(key, body.all, signature) ? claimed : undefined);
  return { issuer: hexOf(issuer), holder: claimed.id, claimed, open };
}

/** A root certificate, trusted as it was given; it must be signed by its own key. */
export function eccRoot(bytes: Uint8Array): PublicKey | undefined {
  const certificate = eccCertificate(bytes);
  return certificate?.issuer === certificate?.holder ? certificate?.open(certificate.claimed) : undefined;
}

function keyOf(fields: Map<number, Element>): PublicKey | undefined {
  const publicKey = elements(fields.get(TAG.publicKey)?.value ?? new Uint8Array());
  const oid = publicKey?.get(TAG.curve)?.value;
  const point = publicKey?.get(TAG.point)?.value;
  const holder = fields.get(TAG.holder)?.value;
  const role = fields.get(TAG.authorisation)?.value.at(-1);
  const curve = oid && CURVES.get(hexOf(oid));
  if (oid === undefined || point === undefined || holder === undefined || curve === undefined) return undefined;
  const key = eccKey(oid, point);
  if (key === undefined) return undefined;
  return {
    id: hexOf(holder),
    key,
    hash: curve.hash,
    ...(role === undefined ? {} : { role }),
    validFrom: timeOf(fields.get(TAG.from)),
    validTo: timeOf(fields.get(TAG.to)),
  };
}

const timeOf = (element: Element | undefined): number | null =>
  element?.value.length === 4 ? time.read(element.value, 0, () => {}) : null;

const EC_PUBLIC_KEY = Buffer.from('06072a8648ce3d0201', 'hex');

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const value = Buffer.concat(parts);
  const length = value.length < 0x80 ? [value.length] : [0x81, value.length];
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
};

function eccKey(oid: Uint8Array, point: Uint8Array): KeyObject | undefined {
  const algorithm = der(0x30, EC_PUBLIC_KEY, der(0x06, oid));
  const key = der(0x30, algorithm, der(0x03, Buffer.from([0]), point));
  try {
    return createPublicKey({ key, format: 'der', type: 'spki' });
  } catch {
    // Not a point of the curve, or a curve that this build of OpenSSL lacks.
    return undefined;
  }
}

/** Whether `signature` (plain r and s) is that of `data` under `key`. */
function verifies(key: PublicKey, data: Uint8Array, signature: Uint8Array): boolean {
  try {
    return verify(key.hash, data, { key: key.key, dsaEncoding: 'ieee-p1363' }, signature);
  } catch {
    return false;
  }
}
