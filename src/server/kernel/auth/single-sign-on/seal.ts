import type { KeyObject } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { Clock } from '../../../../platform/clock.ts';

/** Encrypts and authenticates data that is stored in a cookie or a row. */
export interface Seal<T extends object> {
  close(value: T, seconds: number): Promise<string>;
  /** Undefined if it was sealed by another seal, was changed, or has expired. */
  open(text: string): Promise<T | undefined>;
}

/** `purpose` is part of the key: data that is sealed for one purpose cannot be opened for another. */
export function createSeal<T extends object>(key: KeyObject, purpose: string, clock: Clock): Seal<T> {
  const bytes = new Uint8Array(key.export());
  return {
    close: (value, seconds) =>
      new EncryptJWT({ value })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(purpose)
        .setExpirationTime(Math.floor(clock.now() / 1000) + seconds)
        .encrypt(bytes),
    async open(text) {
      try {
        const { payload } = await jwtDecrypt(text, bytes, {
          audience: purpose,
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
          requiredClaims: ['exp', 'value'],
          currentDate: new Date(clock.now()),
        });
        return payload['value'] as T;
      } catch {
        return undefined;
      }
    },
  };
}
