import type { IncomingHttpHeaders } from 'node:http';
import { isOwnSite, sessionCookieOf } from './cookies.ts';
import type { Caller, SignIn } from './service.ts';

/** Parts of a request that contain credentials. */
export interface Presented {
  readonly headers: IncomingHttpHeaders;
  readonly host: string;
  readonly address: string;
  readonly requestId: string;
  /** does it change anything? A browser's cookie then counts on pages of this site alone */
  readonly changes: boolean;
}

/** By `Authorization: Bearer` or `Basic`, or by the cookie of a session. Throws what a log-in throws. */
export async function authenticate(signIn: SignIn, presented: Presented): Promise<Caller | undefined> {
  const { headers, address, requestId } = presented;
  const [, scheme, value] = /^(Bearer|Basic) +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  if (value !== undefined && scheme?.toLowerCase() === 'bearer') return signIn.find(value, address);
  const cookie = sessionCookieOf(headers);
  const mayUseCookie = !presented.changes || isOwnSite(headers, presented.host);
  const byCookie = cookie !== undefined && mayUseCookie ? await signIn.find(cookie, address) : undefined;
  if (byCookie !== undefined || value === undefined) return byCookie;
  const [, email, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(value, 'base64').toString()) ?? [];
  if (email === undefined || password === undefined) return undefined;
  return signIn.basic({ email, password }, { address, requestId });
}
