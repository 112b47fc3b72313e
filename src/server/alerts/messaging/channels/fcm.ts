import { importPKCS8, SignJWT } from 'jose';
import { request } from 'undici';
import type { Clock } from '../../../../platform/clock.ts';
import { type Send, Undeliverable } from '../delivery.ts';

/** From the JSON key file of a Google service account. */
export interface ServiceAccount {
  readonly project_id: string;
  readonly client_email: string;
  readonly private_key: string;
  readonly token_uri: string;
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const LIFETIME_S = 3_600;
/** a token is renewed this long before it expires */
const EARLY_MS = 60_000;
const TIMEOUT_MS = 10_000;

/** FCM, HTTP v1. `endpoint`: https://fcm.googleapis.com, or a substitute. */
export function fcmBy(account: ServiceAccount, endpoint: string, clock: Clock): Send {
  let token: { readonly value: Promise<string>; readonly until: number } | undefined;
  const tokenOf = (): Promise<string> => {
    if (token === undefined || clock.now() >= token.until) {
      const value = askForToken(account, clock);
      token = { value, until: clock.now() + LIFETIME_S * 1_000 - EARLY_MS };
      value.catch(() => {
        token = undefined;
      });
    }
    return token.value;
  };
  const url = `${endpoint.replace(/\/$/, '')}/v1/projects/${account.project_id}/messages:send`;
  return async ({ address, payload }, signal) => {
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${await tokenOf()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: messageOf(address, payload) }),
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      signal,
    });
    const text = await body.text();
    if (statusCode === 200) return nameOf(text);
    if (statusCode === 401) token = undefined;
    const reason = `status ${statusCode}: ${text.slice(0, 300)}`;
    if (statusCode === 404 || text.includes('UNREGISTERED')) throw new Undeliverable(reason, true);
    if (statusCode === 400 || statusCode === 403) throw new Undeliverable(reason);
    throw new Error(reason);
  };
}

function messageOf(token: string, payload: Readonly<Record<string, unknown>>): object {
  const { title, body, keys: _, ...rest } = payload;
  const data = Object.entries(rest).filter(([, value]) => value !== null && value !== undefined);
  const isUrgent = payload['priority'] === 'critical' || payload['priority'] === 'high';
  return {
    token,
    notification: { title, body },
    data: Object.fromEntries(data.map(([name, value]) => [name, String(value)])),
    android: { priority: isUrgent ? 'high' : 'normal' },
  };
}

async function askForToken(account: ServiceAccount, clock: Clock): Promise<string> {
  const now = Math.floor(clock.now() / 1_000);
  const assertion = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(account.client_email)
    .setAudience(account.token_uri)
    .setIssuedAt(now)
    .setExpirationTime(now + LIFETIME_S)
    .sign(await importPKCS8(account.private_key, 'RS256'));
  const { statusCode, body } = await request(account.token_uri, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`no access token for FCM: status ${statusCode}`);
  return (JSON.parse(text) as { access_token: string }).access_token;
}

/** `projects/…/messages/…` */
function nameOf(text: string): string {
  try {
    return String((JSON.parse(text) as { name?: unknown }).name ?? 'taken').slice(0, 200);
  } catch {
    return 'taken';
  }
}
