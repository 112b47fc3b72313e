import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { callerOf, noStore } from '../../kernel/auth/index.ts';
import { type App, parseInstant } from '../../kernel/http/index.ts';
import { bodyOf, type Context, queryOf } from './request.ts';
import { type RouteKit, traccarRoute } from './routes.ts';
import { isOwnSite, sessionCookieOf, setSessionCookie } from './sign-in/cookies.ts';
import { COOKIE_SECONDS, type SignIn } from './sign-in/service.ts';
import { currentUser } from './user.ts';

const TOKEN_SECONDS = 7 * 86_400;

export interface SessionDeps {
  readonly signIn: SignIn;
  readonly clock: Clock;
}

export function addSessionRoutes(app: App, kit: RouteKit, { signIn, clock }: SessionDeps): void {
  const { contextOf } = kit;
  const open = traccarRoute({ public: true });
  const closed = traccarRoute();
  /** A page of another site must not log the browser in as somebody else (login CSRF). */
  const demandOwnSite = (request: FastifyRequest): void => {
    if (!isOwnSite(request.headers, request.host)) throw new AppError('unauthorized', 'A page of another site asks');
  };
  const start = async (request: FastifyRequest, reply: FastifyReply, secret: string, context: Context) => {
    setSessionCookie(reply, request, secret, COOKIE_SECONDS);
    return noStore(reply).send(await currentUser(context));
  };

  app.get('/session', open, async (request, reply) => {
    const { token } = queryOf(request);
    if (typeof token === 'string') {
      demandOwnSite(request);
      const caller = await signIn.find(token, request.ip);
      if (caller === undefined) throw new AppError('unauthorized');
      const context = kit.createContext(caller);
      if (caller.principal.kind !== 'user') return noStore(reply).send(await currentUser(context));
      return start(request, reply, await signIn.makeToken(caller, clock.now() + COOKIE_SECONDS * 1000), context);
    }
    const caller = await kit.authenticate(request);
    // clients ask this first, to see whether they have to log in
    if (caller === undefined) throw new AppError('not-found', 'There is no session');
    return noStore(reply).send(await currentUser(kit.createContext(caller)));
  });

  app.post('/session', open, async (request, reply) => {
    demandOwnSite(request);
    const { email, password, code, token } = bodyOf(request);
    if (typeof token === 'string') {
      const caller = await signIn.find(token, request.ip);
      if (caller === undefined) throw new AppError('unauthorized');
      const secret = await signIn.makeToken(caller, clock.now() + COOKIE_SECONDS * 1000);
      return start(request, reply, secret, kit.createContext(caller));
    }
    if (typeof email !== 'string' || typeof password !== 'string') throw new AppError('invalid-credentials');
    const otp = typeof code === 'string' && code !== '' ? code : undefined;
    try {
      const { secret, caller } = await signIn.login({ email, password, otp }, callerOf(request));
      return await start(request, reply, secret, kit.createContext(caller));
    } catch (error) {
      if (error instanceof AppError && error.code === 'otp-required') reply.header('www-authenticate', 'TOTP');
      throw error;
    }
  });

  app.delete('/session', open, async (request, reply) => {
    const cookie = sessionCookieOf(request.headers);
    if (cookie !== undefined) await signIn.end(cookie);
    setSessionCookie(reply, request, '', 0);
    return reply.code(204).send();
  });

  app.post('/session/token', closed, async (request, reply) => {
    const { expiration } = bodyOf(request);
    const given = typeof expiration === 'string' ? parseInstant(expiration, 'to') : undefined;
    if (typeof expiration === 'string' && given === undefined)
      throw new AppError('invalid', 'expiration is no instant');
    const token = await signIn.makeToken(contextOf(request).caller, given ?? clock.now() + TOKEN_SECONDS * 1000);
    return noStore(reply).type('text/plain').serializer(String).send(token);
  });

  app.post('/session/token/revoke', closed, async (request, reply) => {
    const { token } = bodyOf(request);
    const { caller } = contextOf(request);
    if (typeof token !== 'string') throw new AppError('invalid', 'A token is needed');
    const owner = await signIn.find(token, request.ip);
    if (owner?.principal.id !== caller.principal.id) throw new AppError('not-found', 'There is no such token');
    await signIn.end(token);
    return reply.code(204).send();
  });
}
