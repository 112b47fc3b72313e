import { verify } from 'node:crypto';
import type { SignatureStatus } from '../records.ts';
import type { Certificate, PublicKey } from './certificate.ts';
import { eccRoot } from './ecc.ts';
import { RSA_ROOT, rsaRoot } from './rsa.ts';

/** Trusted root keys of both generations. */
export type Roots = readonly PublicKey[];

/**
 * A root to trust: of generation 1 the 144 bytes that the European authority publishes (`EC_PK.bin`), of generation 2
 * its self-signed certificate. `undefined` for other bytes.
 */
export function readRoot(bytes: Uint8Array): PublicKey | undefined {
  return bytes.length === RSA_ROOT ? rsaRoot(bytes) : eccRoot(bytes);
}

export interface Verification {
  readonly verdict: SignatureStatus;
  readonly reason?: string;
}

/** The signing key, if its certificate chain leads to a root; otherwise the reason. */
export type Signer = { readonly key: PublicKey } | Verification;

/** Who may issue certificates: the roots of both generations, and member states. */
const AUTHORITIES: ReadonlySet<number> = new Set([0x00, 0x0d, 0x0e]);
const MAX_CHAIN = 4;

/**
 * Follows `certificate` over the others of its file to a root.
 * @param others certificates of member states, and links between roots.
 */
export function signerOf(
  certificate: Certificate | undefined,
  others: readonly (Certificate | undefined)[],
  roots: Roots,
): Signer {
  if (certificate === undefined) return { verdict: 'unverifiable', reason: 'no certificate of the signer' };
  return trace(certificate, others, roots, MAX_CHAIN);
}

function trace(
  certificate: Certificate,
  others: readonly (Certificate | undefined)[],
  roots: Roots,
  left: number,
): Signer {
  const root = roots.find(({ id }) => id === certificate.issuer);
  if (root !== undefined) return opened(certificate, root);
  let failure: Verification | undefined;
  for (const other of left > 0 ? others : []) {
    if (other === undefined || other === certificate) continue;
    if (other.holder !== undefined && other.holder !== certificate.issuer) continue;
    const issuer = trace(other, others, roots, left - 1);
    if (!('key' in issuer)) failure ??= issuer;
    else if (issuer.key.id === certificate.issuer) {
      if (!AUTHORITIES.has(issuer.key.role ?? 0)) return { verdict: 'invalid', reason: 'the issuer is no authority' };
      return opened(certificate, issuer.key);
    }
  }
  return failure ?? { verdict: 'unverifiable', reason: `no trusted root leads to ${certificate.issuer}` };
}

function opened(certificate: Certificate, issuer: PublicKey): Signer {
  const key = certificate.open(issuer);
  return key === undefined ? { verdict: 'invalid', reason: `a certificate is not signed by ${issuer.id}` } : { key };
}

/** Verifies one signature over `data`. */
export function verifySignature(signer: Signer, data: Uint8Array, signature: Uint8Array | undefined): Verification {
  if (signature === undefined || signature.every((byte) => byte === 0)) return { verdict: 'unsigned' };
  if (!('key' in signer)) return signer;
  const { key, hash } = signer.key;
  try {
    const isSound =
      hash === 'sha1'
        ? verify(hash, data, key, signature)
        : verify(hash, data, { key, dsaEncoding: 'ieee-p1363' }, signature);
    return isSound ? { verdict: 'valid' } : { verdict: 'invalid', reason: 'the signature is not that of these bytes' };
  } catch {
    return { verdict: 'invalid', reason: 'the signature is not one of its key' };
  }
}

/** Whether the signer's certificate was in force at `time` (seconds); a later signature is invalid. */
export function inForce(signer: Signer, time: number | null): Signer {
  if (!('key' in signer) || time === null) return signer;
  const { validFrom, validTo } = signer.key;
  if ((validTo === null || time <= validTo) && (validFrom === null || time >= validFrom)) return signer;
  return { verdict: 'invalid', reason: 'the certificate was not in force when this was signed' };
}
