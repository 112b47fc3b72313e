import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../../../platform/errors.ts';
import { cookieOf, isSameOrigin } from '../../http/index.ts';
import { clientOf, setDeviceCookie } from '../login/client.ts';
import { sendForward } from '../single-sign-on/routes.ts';
import { ownPath, setCookie } from './cookies.ts';
import { type LoginPages, PAGES_SECONDS } from './service.ts';

const FORM = 'application/x-www-form-urlencoded';
const FORM_BYTES = 4_096;

/** Log-in from the page at /login, and log-out. */
export function addLoginPageRoutes(app: FastifyInstance, loginPages: LoginPages): void {
  app.register((scope, _options, done) => {
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) =>
      done(null, new URLSearchParams(body as string)),
    );
    const config = { access: 'public', produces: '*/*' } as const;
    scope.post('/login', { config, bodyLimit: FORM_BYTES, schema: { hide: true } }, async (request, reply) => {
      refuseOtherSites(request);
      if (!(request.body instanceof URLSearchParams))
        throw new AppError('unsupported-media-type', `There is only ${FORM}`);
      const form = request.body;
      const next = ownPath(form.get('next'));
      const field = (name: string): string => form.get(name)?.trim() ?? '';
      const tenant = field('tenant');
      const entry = await loginPages.enter(
        { user: field('user'), password: field('password'), otp: field('otp'), tenant },
        clientOf(request),
      );
      if ('refused' in entry) {
        // no problem is sent: the page itself says so
        if (entry.refused === 'wrong') request.refusal = { code: 'invalid-credentials', message: 'the login page' };
        if (entry.refused === 'locked') request.refusal = { code: 'locked', message: 'the login page' };
        const again = new URLSearchParams({ failed: entry.refused, next, ...(tenant === '' ? {} : { tenant }) });
        return reply.redirect(`/login?${again}`, 303);
      }
      return setDeviceCookie(setCookie(reply, entry.cookie, PAGES_SECONDS), entry.device).redirect(next, 303);
    });
    scope.post('/logout', { config, bodyLimit: FORM_BYTES, schema: { hide: true } }, async (request, reply) => {
      refuseOtherSites(request);
      const cookie = cookieOf(request);
      const elsewhere = cookie === undefined ? undefined : await loginPages.leave(cookie);
      setCookie(reply, '', 0);
      // a page instead of a redirect: the Content-Security-Policy (form-action) forbids redirects of forms to other
      // sites
      return elsewhere === undefined ? reply.redirect('/login', 303) : sendForward(reply, elsewhere);
    });
    done();
  });
}

/** Prevents login CSRF: a form of another site could log the browser in to another account. */
function refuseOtherSites(request: FastifyRequest): void {
  if (isSameOrigin(request) === false) throw new AppError('unauthorized', 'The form is on another site');
}
