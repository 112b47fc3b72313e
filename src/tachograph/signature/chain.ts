import { verify } from 'node:crypto';
import type { Verdict } from '../records.ts';
import type { Certificate, PublicKey } from './certificate.ts';
import { eccRoot } from './ecc.ts';
import { RSA_ROOT, rsaRoot } from './rsa.ts';

/** Keys that are trusted as they are, of both generations. */
export type Roots = readonly PublicKey[];

/**
 * A root to trust: of generation 1 the 144 bytes that the European authority publishes (`EC_PK.bin`), of generation 2
 * its self-signed certificate. `undefined` where the bytes are neither.
 */
export function readRoot(bytes: Uint8Array): PublicKey | undefined {
  return bytes.length === RSA_ROOT ? rsaRoot(bytes) : eccRoot(bytes);
}

export interface Judgement {
  readonly verdict: Verdict;
  readonly reason?: string;
}

/** The key that signs, if its certificates lead to a root; otherwise why not. */
export type Signer = { readonly key: PublicKey } | Judgement;

/** Who may issue certificates: the roots of both generations, and member states. */
const AUTHORITIES: ReadonlySet<number> = new Set([0x00, 0x0d, 0x0e]);
const LONGEST_CHAIN = 4;

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
  return trace(certificate, others, roots, LONGEST_CHAIN);
}

function trace(
  certificate: Certificate,
  others: readonly (Certificate | undefined)[],
  roots: Roots,
  left: number,
): Signer {
  const root = roots.find(({ id }) => id === certificate.issuer);
  if (root !== undefined) return opened(certificate, root);
  let failure: Judgement | undefined;
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

/** The verdict on one signature over `data`. */
export function judge(signer: Signer, data: Uint8Array, signature: Uint8Array | undefined): Judgement {
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
    return { verdict: 'invalid', reason: 'the signature is none of its key' };
  }
}

/** Whether the signer's certificate was in force at `time` (seconds); what was signed later than that is not valid. */
export function inForce(signer: Signer, time: number | null): Signer {
  if (!('key' in signer) || time === null) return signer;
  const { validFrom, validTo } = signer.key;
  if ((validTo === null || time <= validTo) && (validFrom === null || time >= validFrom)) return signer;
  return { verdict: 'invalid', reason: 'the certificate was not in force when this was signed' };
}
