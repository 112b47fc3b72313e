import { createHash, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type pg from 'pg';
import type { Clock } from '../../../../platform/clock.ts';
import { AppError } from '../../../../platform/errors.ts';
import { asAppError } from '../../../database/index.ts';
import { openValue, type Secrets, sealValue } from '../../secrets/index.ts';
import * as store from './store.ts';

const PERIOD_S = 30;
/** accepted periods before and after the current one: telephone clocks deviate */
const WINDOW = 1;
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** without I, L, O, U, 0 and 1, which are confused when read from paper */
const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const CODE_LENGTH = 10;

export interface OtpUser {
  readonly id: string;
  readonly tenantId: number;
  readonly username: string;
}

export interface Enrolment {
  /** base32 */
  readonly secret: string;
  /** `otpauth://totp/…`, for a QR code */
  readonly uri: string;
}

/** One-time passwords as a second factor (RFC 6238: SHA-1, six digits, 30 s, which every authenticator supports). */
export interface OneTimePasswords {
  state(userId: string): Promise<{ enabled: boolean; recoveryCodesLeft: number }>;
  /** Creates a secret, which is active after `confirm`. Throws AppError `conflict` if one is active. */
  enrol(user: OtpUser): Promise<Enrolment>;
  /**
   * Activates the secret and returns the recovery codes, which are not shown again. Throws AppError
   * `invalid-credentials`, `conflict`.
   */
  confirm(userId: string, otp: string): Promise<readonly string[]>;
  /**
   * Checks the one-time password or recovery code of a login; each is accepted once. `none`: the user has not enabled
   * them; `missing`: enabled and not given.
   */
  check(userId: string, otp: string | undefined): Promise<'none' | 'fits' | 'missing' | 'wrong'>;
  /** Disables one-time passwords; false if the user had none. */
  end(userId: string): Promise<boolean>;
}

const hashOf = (code: string): Buffer => createHash('sha256').update(`otp recovery ${code}`).digest();
const bare = (typed: string): string => typed.toUpperCase().replace(/[\s-]/g, '');

export function createOneTimePasswords(deps: {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly secrets: Secrets;
}): OneTimePasswords {
  const { pool, clock, secrets } = deps;
  const open = (userId: string, sealed: string): string => openValue(secrets, 'oneTimePassword', userId, sealed);
  /** number of the 30 s period that a code belongs to; undefined if the code is wrong */
  const periodOf = (secret: string, code: string): number | undefined => {
    if (!/^\d{6}$/.test(code)) return undefined;
    const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD_S });
    const timestamp = clock.now();
    const delta = totp.validate({ token: code, timestamp, window: WINDOW });
    return delta === null ? undefined : totp.counter({ timestamp }) + delta;
  };
  const spend = async (userId: string, secret: string, otp: string): Promise<boolean> => {
    const code = bare(otp);
    const period = periodOf(secret, code);
    if (period !== undefined) return store.spendPeriod(pool, userId, period);
    return store.spendRecoveryCode(pool, userId, hashOf(code));
  };
  const read = (userId: string): Promise<store.OtpRow | undefined> =>
    store.readOtp(pool, userId).catch((error) => {
      throw asAppError(error);
    });
  return {
    async state(userId) {
      const row = await read(userId);
      const enabled = row?.confirmed === true;
      return { enabled, recoveryCodesLeft: enabled ? row.recoveryCodes : 0 };
    },
    async enrol(user) {
      const secret = new Secret({ size: SECRET_BYTES });
      if (!(await store.insertOtp(pool, user, sealValue(secrets, 'oneTimePassword', user.id, secret.base32)))) {
        throw new AppError('conflict', 'One-time passwords are asked for already');
      }
      const totp = new TOTP({ issuer: 'Fleetgate', label: user.username, secret, period: PERIOD_S });
      return { secret: secret.base32, uri: totp.toString() };
    },
    async confirm(userId, otp) {
      const row = await read(userId);
      if (row === undefined || row.confirmed) throw new AppError('conflict', 'There is nothing to confirm');
      const period = periodOf(open(userId, row.sealedSecret), bare(otp));
      if (period === undefined) throw new AppError('invalid-credentials', 'The one-time password does not fit');
      const codes = Array.from({ length: RECOVERY_CODES }, makeCode);
      const recoveryCodes = codes.map((code) => hashOf(bare(code)));
      if (!(await store.confirmOtp(pool, userId, { sealedSecret: row.sealedSecret, period, recoveryCodes }))) {
        throw new AppError('conflict', 'There is nothing to confirm');
      }
      return codes;
    },
    async check(userId, otp) {
      const row = await read(userId);
      if (row?.confirmed !== true) return 'none';
      if (otp === undefined || bare(otp) === '') return 'missing';
      return (await spend(userId, open(userId, row.sealedSecret), otp)) ? 'fits' : 'wrong';
    },
    end: (userId) => store.deleteOtp(pool, userId),
  };
}

function makeCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `${letters.slice(0, CODE_LENGTH / 2)}-${letters.slice(CODE_LENGTH / 2)}`;
}
