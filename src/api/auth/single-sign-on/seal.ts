import type { KeyObject } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { Clock } from '../../../platform/clock.ts';

/** Data that others keep and cannot read or change: in a cookie, in a row. */
export interface Seal<T extends object> {
  close(value: T, seconds: number): Promise<string>;
  /** Undefined where it was not closed by this seal, was changed, or is too old. */
  open(text: string): Promise<T | undefined>;
}

/** `purpose`: what is closed for one purpose cannot be opened for another. */
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
