import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '../../../../platform/clock.ts';
import { HOUR_MS } from '../../../../platform/durations.ts';
import { AppError } from '../../../../platform/errors.ts';
import type { Log } from '../../../../platform/log.ts';
import type { Mail } from '../../../../platform/mail.ts';
import { transaction } from '../../../database/index.ts';
import type { Audit } from '../../audit/index.ts';
import type { Budget, Budgets } from '../../budgets/index.ts';
import { accountOf, hashAddress } from '../login/limits.ts';
import { type Caller, normaliseTenant } from '../login/service.ts';
import { changePassword, findLogin, findLoginById, type LoginRow } from '../login/store.ts';
import { hashPassword, requireStrength } from '../passwords.ts';
import { revokeSessionsOf } from '../sessions/store.ts';
import * as store from './store.ts';

export const RECOVERY_SECONDS = 900;
const MAX_WRONG_CODES = 5;
const PER_HOUR = 5;
const PER_HOUR_AND_ADDRESS = 20;
/** without I, L, O, U, 0 and 1, which are confused when read aloud or typed */
const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const CODE_LENGTH = 8;

/** Sends an e-mail; rejects if it cannot be delivered. */
export type SendMail = (mail: Mail) => Promise<void>;

export interface Recovery {
  /**
   * Starts a recovery. Answer and timing are the same for existing and unknown users. Throws AppError `rate-limited`.
   */
  start(name: string, tenant: string | undefined, caller: Caller): Promise<void>;
  /**
   * Sets the new password and returns the number of revoked sessions. Throws AppError `invalid-or-expired-token`,
   * `weak-password`.
   */
  finish(request: RecoveryProof, newPassword: string, caller: Caller): Promise<number>;
  /** Waits until queued e-mails are sent or have failed. */
  close(): Promise<void>;
}

export type RecoveryProof =
  | { readonly token: string }
  | { readonly username: string; readonly code: string; readonly tenant?: string | undefined };

export interface RecoveryDeps {
  readonly pool: pg.Pool;
  readonly budgets: Budgets;
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: Audit;
  /** undefined if no mail server is configured */
  readonly sendMail: SendMail | undefined;
  readonly defaultTenant: string;
  /** drops the cached tokens of the user */
  readonly forget: (id: string) => void;
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
const codeHashOf = (code: string): Buffer => hashOf(`code ${code.toUpperCase().replace(/[\s-]/g, '')}`);

export function createRecovery(deps: RecoveryDeps): Recovery {
  const { pool, budgets, clock, log, audit, sendMail, defaultTenant, forget } = deps;
  const windowMs = HOUR_MS;
  const pairs = budgets.create({ name: 'recovery-pair', points: PER_HOUR, windowMs });
  const addresses = budgets.create({ name: 'recovery-address', points: PER_HOUR_AND_ADDRESS, windowMs });
  // beyond this limit no e-mail is sent and no error returned, so that requests from many addresses cannot flood a
  // mailbox
  const mailboxes = budgets.create({ name: 'recovery-mailbox', points: 2 * PER_HOUR, windowMs });
  const onTheirWay = new Set<Promise<void>>();

  const send = async (user: LoginRow, caller: Caller): Promise<void> => {
    if (user.email === null || !user.active) return;
    if ((await take(mailboxes, user.id)) !== undefined) return;
    if (sendMail === undefined) {
      log.warn({ user: user.id }, 'a recovery was asked for, and SMTP_URL is not set: no mail is sent');
      return;
    }
    const token = `rcv_${randomBytes(32).toString('base64url')}`;
    const code = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
    await transaction(pool, (tx) =>
      store.insertRecovery(tx, {
        tokenHash: hashOf(token),
        codeHash: codeHashOf(code),
        tenantId: user.tenantId,
        userId: user.id,
        expiresAt: clock.now() + RECOVERY_SECONDS * 1000,
      }),
    );
    await audit.write({
      tenantId: user.tenantId,
      actor: user.id,
      action: 'recovery.started',
      object: user.id,
      ...caller,
    });
    await sendMail({ to: user.email, subject: 'Fleetgate: set a new password', text: letter(user, code, token) });
  };

  return {
    async start(typed, typedTenant, caller) {
      const name = typed.trim().toLowerCase();
      const tenant = normaliseTenant(typedTenant);
      const place = hashAddress(caller.address);
      const key = place.toString('hex');
      const refusal =
        (await take(addresses, key)) ?? (await take(pairs, `${accountOf(tenant ?? defaultTenant, name)}${key}`));
      if (refusal !== undefined) throw refusal;
      // after the answer, so that its timing does not reveal whether the user exists
      const sent: Promise<void> = new Promise((resolve) => setImmediate(resolve))
        .then(() => findLogin(pool, { tenant, defaultTenant, name }, place))
        .then((user) => (user === undefined ? undefined : send(user, caller)))
        .catch((error: Error) => log.error({ err: error }, 'the mail of a recovery was not sent'))
        .finally(() => onTheirWay.delete(sent));
      onTheirWay.add(sent);
    },
    async finish(proof, newPassword, caller) {
      const found = await transaction(pool, (tx) => findProven(tx, proof, clock.now()));
      if (found === undefined) throw new AppError('invalid-or-expired-token');
      const { user, tokenHash } = found;
      requireStrength(newPassword, [user.username, user.name, user.email?.split('@')[0]]);
      const passwordHash = await hashPassword(newPassword);
      const ended = await transaction(pool, async (tx) => {
        const still = await store.lockRecovery(tx, { tokenHash });
        if (still === undefined) throw new AppError('invalid-or-expired-token');
        await store.endRecovery(tx, tokenHash);
        await changePassword(tx, user.id, passwordHash);
        return revokeSessionsOf(tx, user.tenantId, user.id);
      });
      const { tenantId, id } = user;
      forget(id);
      await audit.write({ tenantId, actor: id, action: 'recovery.finished', object: id, ...caller });
      return ended;
    },
    async close() {
      await Promise.allSettled(onTheirWay);
    },
  };

  async function findProven(
    tx: pg.PoolClient,
    proof: RecoveryProof,
    now: number,
  ): Promise<{ user: LoginRow; tokenHash: Buffer } | undefined> {
    const row = await findRecovery(tx, proof, defaultTenant);
    if (row === undefined || row.expiresAt <= now || row.wrongCodes >= MAX_WRONG_CODES) return undefined;
    if ('code' in proof && !timingSafeEqual(row.codeHash, codeHashOf(proof.code))) {
      await store.countWrongCode(tx, row.tokenHash);
      return undefined;
    }
    const user = await findLoginById(tx, row.tenantId, row.userId);
    return user?.active === true ? { user, tokenHash: row.tokenHash } : undefined;
  }
}

async function findRecovery(
  tx: pg.PoolClient,
  proof: RecoveryProof,
  defaultTenant: string,
): Promise<store.RecoveryRow | undefined> {
  if ('token' in proof) return store.lockRecovery(tx, { tokenHash: hashOf(proof.token) });
  const name = proof.username.trim().toLowerCase();
  const tenant = normaliseTenant(proof.tenant);
  const user = await findLogin(tx, { tenant, defaultTenant, name }, Buffer.alloc(0));
  return user === undefined ? undefined : store.lockRecovery(tx, { userId: user.id });
}

async function take(budget: Budget, key: string): Promise<AppError | undefined> {
  const { points, leftMs } = await budget.addShared(key);
  if (points <= budget.options.points) return undefined;
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  return new AppError('rate-limited', `Try again in ${seconds} seconds`, [], seconds);
}

const letter = (user: LoginRow, code: string, token: string): string =>
  [
    `Someone, probably you, asked for a new password of the Fleetgate user ${user.username}.`,
    '',
    `Code:  ${code.slice(0, 4)}-${code.slice(4)}`,
    `Token: ${token}`,
    '',
    `Both are good for ${RECOVERY_SECONDS / 60} minutes and once. If it was not you, there is nothing to do.`,
  ].join('\n');
