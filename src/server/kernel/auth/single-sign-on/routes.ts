import type { FastifyInstance, FastifyReply } from 'fastify';
import { readCookie, setHostCookie } from '../../http/index.ts';
import { clientOf } from '../login/client.ts';
import { ownPath, setCookie } from '../login-pages/cookies.ts';
import { type LoginPages, PAGES_SECONDS } from '../login-pages/service.ts';
import { noStore } from '../sign-in-routes.ts';
import { FLOW_SECONDS, type SignOn, type SingleSignOn } from './service.ts';

const FLOW_COOKIE = 'fleetgate_sign_on';
const FORM = 'application/x-www-form-urlencoded';
const LOGOUT_BYTES = 16_384;
const schema = { hide: true };
const config = { access: 'public', produces: '*/*' } as const;

export interface SingleSignOnRoutesDeps {
  readonly singleSignOn: SingleSignOn | undefined;
  readonly loginPages: LoginPages;
  /** the setting PASSWORD_LOGIN */
  readonly passwordLogin: boolean;
}

/** Login options of the console, and the redirects to the provider and back. */
export function addSingleSignOnRoutes(app: FastifyInstance, deps: SingleSignOnRoutesDeps): void {
  const { singleSignOn, loginPages, passwordLogin } = deps;
  app.get('/login/methods', { config, schema }, async (_request, reply) =>
    noStore(reply).send({
      password: passwordLogin,
      singleSignOn: singleSignOn === undefined ? null : { label: singleSignOn.label },
    }),
  );
  if (singleSignOn === undefined) return;
  app.get('/login/sso', { config, schema }, async (request, reply) => {
    const next = ownPath((request.query as { next?: unknown }).next);
    try {
      const { url, flow } = await singleSignOn.begin(next);
      return noStore(setFlow(reply, singleSignOn, flow, FLOW_SECONDS)).redirect(url, 303);
    } catch {
      return noStore(reply).redirect(`/login?failed=sso-unavailable&next=${encodeURIComponent(next)}`, 303);
    }
  });
  app.get('/login/sso/callback', { config, schema }, async (request, reply) => {
    const flow = readCookie(request, FLOW_COOKIE);
    const result = await singleSignOn.finish(request.url.split('?')[1] ?? '', flow, clientOf(request));
    setFlow(noStore(reply), singleSignOn, '', 0);
    const entry = 'refused' in result ? result : await loginPages.admit(result.session);
    if ('refused' in entry) return reply.redirect(refusalPage(entry.refused, result.next), 303);
    setCookie(reply, entry.cookie, PAGES_SECONDS);
    // a page instead of a redirect: browsers do not send SameSite=Strict cookies in a redirect from another site
    return sendForward(reply, result.next);
  });
  addBackChannel(app, singleSignOn);
}

function addBackChannel(app: FastifyInstance, singleSignOn: SingleSignOn): void {
  app.register((scope, _options, done) => {
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) =>
      done(null, new URLSearchParams(body as string)),
    );
    scope.post('/login/sso/logout', { config, schema, bodyLimit: LOGOUT_BYTES }, async (request, reply) => {
      const token = request.body instanceof URLSearchParams ? request.body.get('logout_token') : null;
      try {
        await singleSignOn.endBy(token ?? '');
      } catch {
        return noStore(reply).code(400).send({ error: 'invalid_request' });
      }
      return noStore(reply).code(200).send('');
    });
    done();
  });
}

const refusalPage = (
  refused: Extract<SignOn, { refused: unknown }>['refused'] | 'scope' | string,
  next: string,
): string => `/login?failed=${refused === 'scope' ? 'scope' : `sso-${refused}`}&next=${encodeURIComponent(next)}`;

/** SameSite=Lax: the cookie must be sent with the redirect from the provider's site. */
const setFlow = (reply: FastifyReply, { isSecure }: SingleSignOn, value: string, seconds: number): FastifyReply =>
  setHostCookie(reply, { name: FLOW_COOKIE, value, seconds, sameSite: 'Lax' }, isSecure);

/** Sends a page that navigates to `url`. */
export function sendForward(reply: FastifyReply, url: string): FastifyReply {
  const target = url.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return reply
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; base-uri 'none'")
    .header('referrer-policy', 'no-referrer')
    .header('x-frame-options', 'DENY')
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="robots" content="noindex">` +
        `<meta http-equiv="refresh" content="0;url=${target}"><title>Fleetgate</title>` +
        `<p><a href="${target}">Continue</a></p></html>`,
    );
}
