import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '../../../../platform/clock.ts';
import type { Log } from '../../../../platform/log.ts';
import { asAppError, transaction } from '../../../database/index.ts';
import type { Audit } from '../../audit/index.ts';
import { hashAddress } from '../login/limits.ts';
import type { Caller } from '../login/service.ts';
import { recordLogin } from '../login/store.ts';
import type { Session, Sessions } from '../sessions/service.ts';
import { type AdmissionRules, admitUser, type NotAdmitted } from './admission.ts';
import { type ClaimRules, type Refusal, readClaims } from './claims.ts';
import { type Challenge, createProvider, type ProviderSettings, type SignedOn } from './provider.ts';
import { createSeal } from './seal.ts';
import * as store from './store.ts';

export interface SingleSignOnRules extends ProviderSettings, ClaimRules, AdmissionRules {
  /** label of the button */
  readonly label: string;
  /** browsers reach the console by HTTPS */
  readonly isSecure: boolean;
}

/** `provider`: invalid answer; `flow`: the answer does not belong to a login of this browser */
export type SignOnRefusal = Refusal | NotAdmitted | 'provider' | 'flow';

export type SignOn =
  | { readonly session: Session; readonly next: string }
  | { readonly refused: SignOnRefusal; readonly next: string };

export interface SingleSignOn {
  readonly label: string;
  readonly isSecure: boolean;
  /** Authorization URL, and the sealed state for the flow cookie. Throws if the provider is unreachable. */
  begin(next: string): Promise<{ url: string; flow: string }>;
  /** Handles the redirect from the provider. */
  finish(query: string, flow: string | undefined, caller: Caller): Promise<SignOn>;
  /** Logout URL of the provider for this session, or undefined. */
  logoutUrl(sessionId: string): Promise<string | undefined>;
  /** Revokes the sessions of a logout token and returns their number. Throws if the token is invalid. */
  endBy(logoutToken: string): Promise<number>;
}

export interface SingleSignOnDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: Audit;
  readonly sessions: Sessions;
  readonly forget: (id: string) => void;
  readonly key: KeyObject;
}

export const FLOW_SECONDS = 600;
/** the lifetime of a session */
const ID_TOKEN_SECONDS = 180 * 86_400;
const HOME = '/console';

interface Flow extends Challenge {
  readonly next: string;
}

export function createSingleSignOn(rules: SingleSignOnRules, deps: SingleSignOnDeps): SingleSignOn {
  const { pool, clock, log, audit, sessions } = deps;
  const provider = createProvider(rules, clock);
  const flows = createSeal<Flow>(deps.key, 'sign-on flow', clock);
  const idTokens = createSeal<{ idToken: string }>(deps.key, 'id token', clock);

  const refuse = async (who: SignedOn, refused: SignOnRefusal, caller: Caller): Promise<void> => {
    log.warn({ issuer: who.issuer, subject: who.subject, refused }, 'single sign-on refused');
    const known = await store.findLinked(pool, who);
    if (known === undefined) return;
    const { tenantId, userId } = known;
    // rights were withdrawn: revokes open sessions
    await sessions.end(tenantId, { userId });
    const after = { method: 'single-sign-on', refused };
    await audit.write({ tenantId, actor: userId, action: 'login.failed', object: userId, after, ...caller });
  };

  const admit = async (who: SignedOn, caller: Caller): Promise<Session | SignOnRefusal> => {
    const read = readClaims(who.claims, rules);
    const admitted =
      'refused' in read
        ? read
        : await transaction(pool, async (tx) => {
            const result = await admitUser(tx, who, read, rules);
            if ('user' in result) await recordLogin(tx, result.user, hashAddress(caller.address));
            return result;
          });
    if ('refused' in admitted) {
      await refuse(who, admitted.refused, caller);
      return admitted.refused;
    }
    const { user, change } = admitted;
    if (change !== 'none') deps.forget(user.id);
    const session = await sessions.begin(user);
    await store.insertSignOnSession(pool, {
      ...who,
      sessionId: session.sessionId,
      tenantId: user.tenantId,
      sid: who.sid ?? null,
      idToken: await idTokens.close({ idToken: who.idToken }, ID_TOKEN_SECONDS),
    });
    const { acr, amr } = who.claims;
    const after = {
      method: 'single-sign-on',
      issuer: who.issuer,
      subject: who.subject,
      change,
      role: user.role,
      acr,
      amr,
    };
    await audit.write({ tenantId: user.tenantId, actor: user.id, action: 'login', object: user.id, after, ...caller });
    return session;
  };

  return {
    label: rules.label,
    isSecure: rules.isSecure,
    async begin(next) {
      const { url, challenge } = await provider.begin();
      return { url, flow: await flows.close({ ...challenge, next }, FLOW_SECONDS) };
    },
    async finish(query, sealed, caller) {
      const flow = sealed === undefined ? undefined : await flows.open(sealed);
      if (flow === undefined) return { refused: 'flow', next: HOME };
      let who: SignedOn;
      try {
        who = await provider.finish(query, flow);
      } catch (error) {
        log.warn(reasonOf(error), 'single sign-on failed');
        return { refused: 'provider', next: flow.next };
      }
      const result = await admit(who, caller).catch((error) => {
        throw asAppError(error);
      });
      return typeof result === 'string' ? { refused: result, next: flow.next } : { session: result, next: flow.next };
    },
    async logoutUrl(sessionId) {
      const sealed = await store.findIdToken(pool, sessionId);
      if (sealed === undefined) return undefined;
      try {
        return await provider.logoutUrl((await idTokens.open(sealed))?.idToken);
      } catch (error) {
        log.warn(reasonOf(error), 'the provider has no place for a logout');
        return undefined;
      }
    },
    async endBy(logoutToken) {
      const by = await provider.readLogout(logoutToken);
      const open = await store.listSignOnSessions(pool, rules.issuer, by);
      for (const { sessionId, tenantId, userId } of open) {
        await sessions.end(tenantId, { sessionId });
        const after = { method: 'back-channel' };
        await audit.write({ tenantId, actor: userId, action: 'logout', object: userId, after });
      }
      return open.length;
    },
  };
}

/** Only the message is logged: the cause may contain received tokens. */
function reasonOf(error: unknown): { reason: string; code: unknown } {
  const { message, code, error: said } = error as { message: string; code?: unknown; error?: unknown };
  return { reason: message, code: said ?? code };
}
