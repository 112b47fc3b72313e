import type { KeyObject } from 'node:crypto';

/** A key that may sign, and how its signatures are checked. */
export interface PublicKey {
  /** CHR of its certificate, hexadecimal: the reference in certificates and roots. */
  readonly id: string;
  readonly key: KeyObject;
  /** SHA-1 for RSA; for curves by the size of the key. */
  readonly hash: 'sha1' | 'sha256' | 'sha384' | 'sha512';
  /** The equipment type of the holder, the last byte of the CHA; `undefined` for a root that is named by its key alone. */
  readonly role?: number;
  /** Seconds; `null` without an end. */
  readonly validFrom: number | null;
  readonly validTo: number | null;
}

/** A certificate in a file; its key can be recovered with its issuer's key only. */
export interface Certificate {
  /** CAR, hexadecimal: the reference of the key that signed it. */
  readonly issuer: string;
  /** CHR where it can be read without the issuer's key. */
  readonly holder?: string;
  /** Its key; `undefined` where the issuer's key does not match. */
  open(issuer: PublicKey): PublicKey | undefined;
}

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
