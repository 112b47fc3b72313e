import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';

export const CLIENT_ID = 'fleetgate';
export const CLIENT_SECRET = 'secret of the client, 32 characters';

type Claims = Record<string, unknown>;
type Signing = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

export interface TestProvider {
  readonly issuer: string;
  /** who logs in there from now on */
  account: { readonly sub: string; readonly claims: Claims };
  acr: string | undefined;
  /** changes the ID token on its way to the client */
  tamper:
    | ((
        claims: JWTPayload,
        sign: (claims: JWTPayload, by?: 'itself' | 'another') => Promise<string>,
      ) => Promise<string>)
    | undefined;
  /** signed by the provider */
  sign(claims: JWTPayload, by?: 'itself' | 'another'): Promise<string>;
  /** notifies the client by the back channel */
  backChannelLogout(sub: string, sid: string): Promise<void>;
  close(): Promise<void>;
}

/** A real OpenID Connect provider, on loopback: whoever comes is logged in as `account` and asked nothing. */
export async function startProvider(clientUrl: string): Promise<TestProvider> {
  const pair = await generateKeyPair('RS256', { extractable: true });
  const another = await generateKeyPair('RS256', { extractable: true });
  const http = createServer();
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  const issuer = `http://localhost:${(http.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${clientUrl}/login/sso/callback`],
        post_logout_redirect_uris: [`${clientUrl}/login`],
        backchannel_logout_uri: `${clientUrl}/login/sso/logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(pair.privateKey)), kid: 'one', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['keys of the cookies'] },
    claims: {
      openid: ['sub', 'groups', 'realm_access', 'organization', 'acr', 'amr', 'sid'],
      profile: ['name', 'preferred_username'],
      email: ['email', 'email_verified'],
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    // notifies clients on loopback too
    fetch: (input, options) => fetch(input, { ...options, dispatcher: undefined } as object),
    pkce: { required: () => true },
    acrValues: ['mfa'],
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ ...of(sub), sub }) }),
    async loadExistingGrant(context) {
      const grant = new context.oidc.provider.Grant({
        clientId: CLIENT_ID,
        accountId: context.oidc.session!.accountId!,
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  const accounts = new Map<string, Claims>();
  const of = (sub: string): Claims => accounts.get(sub) ?? {};
  const sign: TestProvider['sign'] = (claims, by = 'itself') =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign((by === 'itself' ? pair : another).privateKey as Signing);
  provider.use(async (context, next) => {
    await next();
    const body = context.body as { id_token?: string } | undefined;
    if (context.path === '/token' && body?.id_token !== undefined && running.tamper !== undefined) {
      context.body = { ...body, id_token: await running.tamper(decodeJwt(body.id_token), sign) };
    }
  });
  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { sub, claims } = running.account;
    accounts.set(sub, claims);
    const login = { accountId: sub, ...(running.acr === undefined ? {} : { acr: running.acr, amr: ['pwd', 'otp'] }) };
    await provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
  };
  const callback = provider.callback();
  http.on('request', (request, response) => {
    if (request.url!.startsWith('/interaction/')) void interact(request, response);
    else void callback(request, response);
  });
  const running: TestProvider = {
    issuer,
    account: { sub: 'nobody', claims: {} },
    acr: undefined,
    tamper: undefined,
    sign,
    async backChannelLogout(sub, sid) {
      const client = (await provider.Client.find(CLIENT_ID)) as unknown as {
        backchannelLogout(sub: string, sid: string): Promise<void>;
      };
      await client.backchannelLogout(sub, sid);
    },
    close: () =>
      new Promise((closed) => {
        http.close(() => closed());
        http.closeAllConnections();
      }),
  };
  return running;
}

/** What a browser does with cookies and redirects, without showing anything. */
export class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>();
  /** addresses that were visited, in their order */
  readonly visited: string[] = [];

  cookie(url: string, name: string): string | undefined {
    return this.#cookies.get(new URL(url).hostname)?.get(name);
  }

  async get(url: string, init: RequestInit = {}): Promise<Response> {
    const { hostname } = new URL(url);
    const jar = this.#cookies.get(hostname) ?? new Map<string, string>();
    this.#cookies.set(hostname, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', ...(cookie && { cookie }), ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      const isOver = value === '' || /max-age=0\b|expires=Thu, 01 Jan 1970/i.test(line);
      if (isOver) jar.delete(name!);
      else jar.set(name!, value!);
    }
    this.visited.push(url);
    return response;
  }

  /** Follows redirects and pages that lead on, until there is none, or until an address that contains `stop`. */
  async go(url: string, stop?: string): Promise<{ url: string; response: Response; text: string }> {
    for (let at = url; ; ) {
      if (stop !== undefined && at.includes(stop)) return { url: at, response: new Response(), text: '' };
      const response = await this.get(at);
      const text = await response.text();
      const refresh = /http-equiv="refresh" content="0;url=([^"]*)"/.exec(text)?.[1];
      const next =
        response.headers.get('location') ??
        refresh?.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
      if (next === undefined) return { url: at, response, text };
      at = new URL(next, at).href;
    }
  }
}
