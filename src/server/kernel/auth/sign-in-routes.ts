import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/errors.ts';
import { type App, principalOf, tenantOf } from '../http/index.ts';
import type { Exchange, ExchangeRequest } from './exchange.ts';
import { clientOf, setDeviceCookie } from './login/client.ts';
import type { Budget } from './login/limits.ts';
import type { Caller, LoginService } from './login/service.ts';
import * as schema from './schema.ts';
import { addSessionRoutes } from './session-routes.ts';
import type { Session, Sessions } from './sessions/service.ts';
import type { SigningKeys } from './tokens/signing-keys.ts';

export interface SignInDeps {
  readonly logins: LoginService;
  readonly sessions: Sessions;
  readonly exchange: Exchange;
  readonly keys: SigningKeys;
}

const tags = ['auth'];

export async function addSignInRoutes(app: App, deps: SignInDeps): Promise<void> {
  addLogin(app, deps);
  addRefresh(app, deps);
  addRevoke(app, deps);
  addSessionRoutes(app, deps.sessions);
  await addExchange(app, deps);
  app.get('/.well-known/jwks.json', { config: { access: 'public' }, schema: { hide: true } }, async (_, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(await deps.keys.publish()),
  );
}

function addLogin(app: App, { logins }: SignInDeps): void {
  app.post(
    '/v1/auth/credentials',
    {
      // limited by account and address, see login/limits.ts
      config: {
        access: 'public',
        rateLimit: false,
        errors: ['invalid-credentials', 'otp-required', 'locked', 'rate-limited'],
      },
      schema: {
        tags,
        summary: 'Log in with user name and password',
        description:
          'Five wrong passwords for one user from one address lock that pair for a quarter of an hour (423). ' +
          'They lock out no other user and no key.',
        body: schema.credentials.meta({
          example: { username: 'carla', password: 'seven grey herons', tenant: 'default' },
        }),
        response: { 200: schema.session },
      },
    },
    async (request, reply) => {
      const { session, budget, device } = await logins.login(request.body, clientOf(request));
      return noStore(setDeviceCookie(setBudgetHeaders(reply, budget), device)).send(presentSession(session));
    },
  );
}

function addRefresh(app: App, { sessions }: SignInDeps): void {
  app.post(
    '/v1/auth/refresh',
    {
      config: { access: 'public', errors: ['unauthorized', 'invalid-credentials'] },
      preValidation: async ({ body }) => {
        // the refresh token is the credential: 401 if it is missing, before the body is validated
        if (typeof (body as { refreshToken?: unknown } | null)?.refreshToken !== 'string') {
          throw new AppError('unauthorized', 'A refresh token is needed');
        }
      },
      schema: {
        tags,
        summary: 'A new pair of tokens for a refresh token',
        description: 'Each is good once. One that comes a second time ends the session: somebody has a copy.',
        body: schema.revocation.pick({ refreshToken: true }).required(),
        response: { 200: schema.session },
      },
    },
    async ({ body }, reply) => noStore(reply).send(presentSession(await sessions.refresh(body.refreshToken))),
  );
}

function addRevoke(app: App, { sessions }: SignInDeps): void {
  app.post(
    '/v1/auth/revoke',
    {
      config: { access: [], bodyIsOptional: true, errors: ['missing-scope'] },
      preValidation: async (request) => {
        if (request.body === undefined) request.body = {};
      },
      schema: {
        tags,
        summary: 'Log out',
        description: 'Ends sessions: their access tokens are refused at once, in every process.',
        body: schema.revocation.meta({ example: { refreshToken: 'rft_Qm9uam91cg' } }),
        response: { 200: schema.revoked },
      },
    },
    async (request) => {
      const { id, kind, sessionId, viaKey } = principalOf(request);
      const { refreshToken, all } = request.body;
      const tenantId = tenantOf(request);
      const userId = kind === 'user' ? id : undefined;
      if (all === true && viaKey !== undefined)
        throw new AppError('missing-scope', 'A key does not end sessions of users');
      let ended = 0;
      if (refreshToken !== undefined) ended = await sessions.endByToken(tenantId, refreshToken, userId);
      else if (all === true && userId !== undefined) ended = await sessions.end(tenantId, { userId });
      else if (sessionId !== undefined) ended = await sessions.end(tenantId, { sessionId });
      return { message: 'Sessions ended', sessionsRevoked: ended };
    },
  );
}

const FORM = 'application/x-www-form-urlencoded';

/** In its own Fastify scope: only this route accepts form-encoded bodies. */
async function addExchange(app: App, { exchange }: SignInDeps): Promise<void> {
  await app.register(async (plain) => {
    const scope = plain as App;
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );
    scope.post(
      '/v1/auth/user_api',
      {
        config: { access: 'public', isOAuth: true, errors: ['invalid-client', 'scope-not-granted'] },
        schema: {
          tags,
          summary: 'A token for an API key',
          description:
            'With `apiKey` as JSON, or as OAuth 2.0 client credentials (a form, client id and secret in it or as ' +
            'Basic): the id is the key’s, the secret its last part or the whole of it.',
          body: schema.exchangeRequest.meta({
            example: {
              apiKey: 'flt_live_f9e8d7c6b5a4_k3Jx9QmZp1sT7vW2yB4nC6dF8gH0jL5rA3eU9iO1qXw',
              scope: 'vehicles:read positions:read',
            },
          }),
          response: { 200: schema.exchanged },
        },
      },
      async (request, reply) => {
        const isOauth = request.body.grant_type !== undefined;
        const result = await exchange.exchange(
          readClient(request.body, request.headers.authorization),
          callerOf(request),
        );
        const { accessToken, expiresIn } = result;
        const alias = { access_token: accessToken, token_type: 'Bearer' as const, expires_in: expiresIn };
        return noStore(reply).send({ ...result, tokenType: 'Bearer' as const, ...(isOauth ? alias : {}) });
      },
    );
  });
}

function readClient(
  body: {
    apiKey?: string | undefined;
    client_id?: string | undefined;
    client_secret?: string | undefined;
    scope?: string | undefined;
    onBehalfOf?: string | undefined;
  },
  authorization: string | undefined,
): ExchangeRequest {
  const { scope, onBehalfOf } = body;
  if (body.apiKey !== undefined) return { apiKey: body.apiKey, scope, onBehalfOf };
  const [id = body.client_id, secret = body.client_secret] = readBasic(authorization);
  if (id === undefined || secret === undefined)
    throw new AppError('invalid-client', 'A key, or id and secret, is needed');
  const apiKey = secret.startsWith('flt_') ? secret : `flt_live_${id}_${secret}`;
  const [, , keyId] = apiKey.split('_');
  if (keyId !== id) throw new AppError('invalid-client');
  return { apiKey, scope, onBehalfOf };
}

/** Id and secret of HTTP Basic, form-encoded before base64 (RFC 6749, 2.3.1). */
function readBasic(header: string | undefined): string[] {
  const encoded = /^Basic +(\S+)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return [];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  if (id === undefined || secret === undefined) return [];
  try {
    return [id, secret].map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
  } catch {
    return [id, secret];
  }
}

export const callerOf = (request: FastifyRequest): Caller => ({ address: request.ip, requestId: request.id });

export const noStore = (reply: FastifyReply): FastifyReply => reply.header('cache-control', 'no-store');

/** Headers of the early draft; http/rate-limit.ts adds the structured ones. */
export function setBudgetHeaders(reply: FastifyReply, budget: Budget | undefined): FastifyReply {
  if (budget === undefined) return reply;
  return reply
    .header('ratelimit-limit', budget.limit)
    .header('ratelimit-remaining', budget.remaining)
    .header('ratelimit-reset', budget.resetS);
}

export function presentSession(session: Session) {
  const { id, username, name, email, role, locale, timezone, tenant } = session.user;
  return {
    accessToken: session.accessToken,
    tokenType: 'Bearer' as const,
    expiresIn: session.expiresIn,
    refreshToken: session.refreshToken,
    refreshExpiresIn: session.refreshExpiresIn,
    user: { id, username, name, email, role, locale, timezone, tenant },
    scope: session.scope,
  };
}
