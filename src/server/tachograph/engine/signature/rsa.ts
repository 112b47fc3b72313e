import { constants, createHash, createPublicKey, type KeyObject, publicDecrypt } from 'node:crypto';
import { time, u32 } from '../layout/layout.ts';
import { type Certificate, hexOf, type PublicKey } from './certificate.ts';

/** Appendix 11, part A: RSA-1024 certificates from which the message is recovered (ISO 9796-2), 194 bytes. */
export const RSA_CERTIFICATE = 194;
/** A published root: identifier 8, modulus 128, exponent 8. */
export const RSA_ROOT = 144;

export const RECOVERED = 106;

export function rsaRoot(bytes: Uint8Array): PublicKey | undefined {
  if (bytes.length !== RSA_ROOT) return undefined;
  const key = rsaKey(bytes.subarray(8, 136), bytes.subarray(136, 144));
  return key && { id: hexOf(bytes.subarray(0, 8)), key, hash: 'sha1', validFrom: null, validTo: null };
}

export function rsaCertificate(bytes: Uint8Array): Certificate | undefined {
  if (bytes.length < RSA_CERTIFICATE || bytes.subarray(0, RSA_CERTIFICATE).every((byte) => byte === 0))
    return undefined;
  return { issuer: hexOf(bytes.subarray(186, 194)), open: (issuer) => recover(bytes, issuer) };
}

function recover(certificate: Uint8Array, issuer: PublicKey): PublicKey | undefined {
  if (issuer.hash !== 'sha1') return undefined;
  const block = decrypt(certificate.subarray(0, 128), issuer.key);
  if (block?.length !== 128 || block[0] !== 0x6a || block[127] !== 0xbc) return undefined;
  const content = Buffer.concat([block.subarray(1, 1 + RECOVERED), certificate.subarray(128, 186)]);
  const hash = block.subarray(1 + RECOVERED, 127);
  if (!createHash('sha1').update(content).digest().equals(hash)) return undefined;
  // CPI 1, CAR 8, CHA 7, EOV 4, CHR 8, modulus 128, exponent 8.
  const key = rsaKey(content.subarray(28, 156), content.subarray(156, 164));
  if (key === undefined) return undefined;
  return {
    id: hexOf(content.subarray(20, 28)),
    key,
    hash: 'sha1',
    role: content[15]!,
    validFrom: null,
    validTo: time.read(u32Bytes(content, 16), 0, () => {}),
  };
}

const u32Bytes = (bytes: Uint8Array, at: number): Uint8Array => bytes.subarray(at, at + u32.size);

function decrypt(signature: Uint8Array, key: KeyObject): Buffer | undefined {
  try {
    return publicDecrypt({ key, padding: constants.RSA_NO_PADDING }, signature);
  } catch {
    // Not a signature under this key, such as a number above its modulus.
    return undefined;
  }
}

function rsaKey(modulus: Uint8Array, exponent: Uint8Array): KeyObject | undefined {
  // OpenSSL accepts any number as modulus; one of 1024 bits does not begin with zeros.
  if (modulus[0] === 0) return undefined;
  const n = Buffer.from(modulus).toString('base64url');
  const e = Buffer.from(exponent.subarray(exponent.findIndex((byte) => byte !== 0))).toString('base64url');
  try {
    return createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' });
  } catch {
    return undefined;
  }
}
