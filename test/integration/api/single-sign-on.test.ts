import type { JWTPayload } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { addConsole } from '../../../src/server/console/index.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { launchChromium } from '../../support/chromium.ts';
import { createDatabase, dropDatabases } from '../../support/databases.ts';
import { CLIENT_ID, CLIENT_SECRET, startProvider, type TestProvider, Visitor } from '../../support/oidc.ts';
import { freePort } from '../../support/ports.ts';
import { needs } from '../../support/programs.ts';

const PASSWORD = 'a password of some length';
type Settings = Parameters<typeof startApi>[1];
type Role = 'admin' | 'manager' | 'dispatcher' | 'viewer' | 'driver';

let provider: TestProvider;
let port: number;
let url: string;
let settings: NonNullable<Settings>;
let databaseUrl: string;
let api: RunningApi;

beforeAll(async () => {
  port = await freePort();
  url = `http://127.0.0.1:${port}`;
  provider = await startProvider(url);
  settings = {
    PUBLIC_URL: url,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
    OIDC_ROLES: new Map<string, Role>([
      ['fleet-admins', 'admin'],
      ['fleet-staff', 'viewer'],
    ]),
    OIDC_CREATE_USERS: true,
  };
});
afterAll(async () => {
  await provider.close();
  await dropDatabases();
});
beforeEach(async () => {
  databaseUrl = await createDatabase();
  await start();
});
afterEach(async () => {
  provider.tamper = undefined;
  provider.acr = undefined;
  await api.stop();
});

async function start(over: Settings = {}): Promise<void> {
  api = await startApi(
    databaseUrl,
    { ...settings, ...over },
    {
      adminPassword: PASSWORD,
      pages: (app, services) =>
        addConsole(app, { tenantOf: services.tenantOf, overview: async (tenantId) => ({ tenantId }) as never }),
    },
    port,
  );
}

async function restart(over: Settings): Promise<void> {
  await api.stop();
  await start(over);
}

const ANNA = {
  sub: 'anna-1',
  claims: {
    preferred_username: 'Anna',
    name: 'Anna Rossi',
    email: 'anna@example.com',
    email_verified: true,
    groups: ['fleet-admins', 'others'],
  },
};

/** The whole way from the login page and back, as `account`. */
async function signOn(account: TestProvider['account'] = ANNA, visitor = new Visitor()) {
  provider.account = account;
  const end = await visitor.go(`${url}/login/sso?next=/console/data`);
  return { ...end, visitor, failed: new URL(end.url).searchParams.get('failed') };
}

const users = async () =>
  (await api.get('/v1/users?limit=100')).body.items as { id: string; username: string; role: string }[];
const userOf = async (name: string) => (await api.get(`/v1/users/${name}`)).body;
const audit = async (action: string) =>
  (await api.get(`/v1/audit?action=${action}`)).body.items as { actor: string; after: Record<string, unknown> }[];
const seesConsole = async (visitor: Visitor): Promise<boolean> =>
  (await visitor.get(`${url}/console/data`)).status === 200;

describe('single sign-on', () => {
  it('creates a user with the role of the claim, begins a session and is audited', async () => {
    const { response, text, visitor } = await signOn();
    expect(response.status).toBe(200);
    expect(JSON.parse(text)).toEqual({ tenantId: await api.database.tenantId('default') });
    expect(await userOf('anna')).toMatchObject({
      role: 'admin',
      name: 'Anna Rossi',
      email: 'anna@example.com',
      allVehicles: true,
    });
    const [login] = await audit('login');
    expect(login!.after).toMatchObject({
      method: 'single-sign-on',
      issuer: provider.issuer,
      subject: 'anna-1',
      change: 'created',
    });
    const sent = new URL(visitor.visited.find((each) => each.startsWith(`${provider.issuer}/auth?`))!).searchParams;
    expect(sent.get('code_challenge_method')).toBe('S256');
    expect(sent.get('nonce')).toMatch(/^.{20,}$/);
    expect(visitor.cookie(url, 'fleetgate_sign_on')).toBeUndefined();
  });

  it('finds the user again by issuer and subject, whatever else has changed', async () => {
    await signOn();
    const { id } = await userOf('anna');
    const { visitor } = await signOn({
      sub: 'anna-1',
      claims: { ...ANNA.claims, preferred_username: 'renamed', email: 'new@example.com' },
    });
    expect(await seesConsole(visitor)).toBe(true);
    expect((await users()).map((user) => user.id).sort()).toEqual([id, (await userOf('admin')).id].sort());
  });

  it('is offered by the login page', async () => {
    const methods = await (await fetch(`${url}/login/methods`)).json();
    expect(methods).toEqual({ password: true, singleSignOn: { label: 'Single sign-on' } });
  });

  it('redirects to paths of the console only', async () => {
    provider.account = ANNA;
    const end = await new Visitor().go(`${url}/login/sso?next=${encodeURIComponent('//evil.example/')}`);
    expect(end.url).toBe(`${url}/console`);
  });
});

describe('an answer is refused', () => {
  /** goes to the provider, and stops before the answer gets back */
  async function answer(): Promise<{ visitor: Visitor; callback: URL }> {
    const visitor = new Visitor();
    provider.account = ANNA;
    const { url: callback } = await visitor.go(`${url}/login/sso`, '/login/sso/callback');
    return { visitor, callback: new URL(callback) };
  }
  const failedOf = async (visitor: Visitor, callback: URL): Promise<string | null> => {
    const { url: end } = await visitor.go(callback.href);
    expect(await seesConsole(visitor)).toBe(false);
    return new URL(end).searchParams.get('failed');
  };

  it('with another state', async () => {
    const { visitor, callback } = await answer();
    callback.searchParams.set('state', 'a state of somebody else');
    expect(await failedOf(visitor, callback)).toBe('sso-provider');
  });

  it('in another browser', async () => {
    const { callback } = await answer();
    expect(await failedOf(new Visitor(), callback)).toBe('sso-flow');
  });

  it('of another login of the same browser', async () => {
    const { visitor, callback } = await answer();
    await visitor.go(`${url}/login/sso`, '/login/sso/callback');
    expect(await failedOf(visitor, callback)).toBe('sso-provider');
  });

  it('that comes a second time', async () => {
    const { visitor, callback } = await answer();
    const flow = visitor.cookie(url, 'fleetgate_sign_on')!;
    expect((await visitor.go(callback.href)).url).toBe(`${url}/console`);
    const again = await fetch(callback, { redirect: 'manual', headers: { cookie: `fleetgate_sign_on=${flow}` } });
    expect(again.headers.get('location')).toMatch(/^\/login\?failed=sso-provider/);
    expect(again.headers.get('set-cookie')).not.toContain('fleetgate_session');
  });

  it('that was kept too long', async () => {
    await api.stop();
    let laterMs = 0;
    api = await startApi(
      databaseUrl,
      settings,
      { clock: { now: () => systemClock.now() + laterMs, monotonic: systemClock.monotonic } },
      port,
    );
    const { visitor, callback } = await answer();
    laterMs = 601_000;
    const response = await visitor.get(callback.href);
    expect(response.headers.get('location')).toMatch(/^\/login\?failed=sso-flow/);
  });

  const now = () => Math.floor(systemClock.now() / 1000);
  it.each<[string, NonNullable<TestProvider['tamper']>]>([
    ['with another nonce', (claims, sign) => sign({ ...claims, nonce: 'another' })],
    ['with a signature of another key', (claims, sign) => sign(claims, 'another')],
    [
      'with changed claims',
      async (claims, sign) => {
        const [head, , signature] = (await sign(claims)).split('.');
        const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'somebody-else' })).toString('base64url');
        return `${head}.${changed}.${signature}`;
      },
    ],
    [
      'without a signature',
      async (claims) =>
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`,
    ],
    ['with a token that has expired', (claims, sign) => sign({ ...claims, iat: now() - 7_200, exp: now() - 3_600 })],
    ['for another client', (claims, sign) => sign({ ...claims, aud: 'another-client' })],
    ['of another issuer', (claims, sign) => sign({ ...claims, iss: 'http://localhost:1' })],
    [
      'for another user than that of the access token',
      (claims, sign) => sign({ ...claims, sub: 'somebody-else' } as JWTPayload),
    ],
  ])('%s', async (_name, tamper) => {
    provider.tamper = tamper;
    const { visitor, failed } = await signOn();
    expect(failed).toBe('sso-provider');
    expect(await seesConsole(visitor)).toBe(false);
    expect((await users()).map(({ username }) => username)).toEqual(['admin']);
  });

  it('while the provider cannot be reached', async () => {
    await restart({ OIDC_ISSUER: 'http://localhost:1' });
    const { failed } = await signOn();
    expect(failed).toBe('sso-unavailable');
  });
});

describe('who is admitted', () => {
  const withGroups = (groups: string[]) => ({ sub: ANNA.sub, claims: { ...ANNA.claims, groups } });

  it('has the role of the provider from the next login on, and the vehicles of that role', async () => {
    const first = await signOn();
    const { failed } = await signOn(withGroups(['fleet-staff']));
    expect(failed).toBeNull();
    expect(await userOf('anna')).toMatchObject({ role: 'viewer', allVehicles: false });
    // sessions from before have no more than the role now
    expect(await seesConsole(first.visitor)).toBe(false);
  });

  it('stays the only administrator of the tenant, whatever role the provider gives', async () => {
    await signOn();
    await api.send('PATCH', '/v1/users/admin', { active: false }, { 'if-match': '*' });
    expect((await signOn(withGroups(['fleet-staff']))).failed).toBeNull();
    expect(await userOf('anna')).toMatchObject({ role: 'admin', allVehicles: true });
  });

  it('is refused without a role, and earlier sessions end', async () => {
    const first = await signOn();
    expect(await seesConsole(first.visitor)).toBe(true);
    expect((await signOn(withGroups(['others']))).failed).toBe('sso-role');
    expect(await seesConsole(first.visitor)).toBe(false);
    expect((await audit('login.failed'))[0]!.after).toMatchObject({ method: 'single-sign-on', refused: 'role' });
  });

  it('has the default role, if there is one', async () => {
    await restart({ OIDC_DEFAULT_ROLE: 'driver' });
    await signOn(withGroups([]));
    expect(await userOf('anna')).toMatchObject({ role: 'driver', allVehicles: false });
  });

  it('has roles of a nested claim', async () => {
    await restart({ OIDC_ROLE_CLAIM: 'realm_access.roles' });
    await signOn({ sub: 'k', claims: { preferred_username: 'k', realm_access: { roles: ['fleet-admins'] } } });
    expect(await userOf('k')).toMatchObject({ role: 'admin' });
  });

  it('is refused if the user is disabled', async () => {
    await signOn();
    await api.send('PATCH', '/v1/users/anna', { active: false }, { 'if-match': '*' });
    expect((await signOn()).failed).toBe('sso-disabled');
  });

  it('is refused if the user is unknown, unless users are created', async () => {
    await restart({ OIDC_CREATE_USERS: false });
    expect((await signOn()).failed).toBe('sso-unknown');
    expect((await users()).map(({ username }) => username)).toEqual(['admin']);
  });

  it('is not the user of the same name', async () => {
    await signOn({ sub: 'mallory', claims: { preferred_username: 'admin', groups: ['fleet-admins'] } });
    const names = (await users()).map(({ username }) => username);
    expect(names).toHaveLength(2);
    expect(names).toContain('admin');
    expect(names.find((name) => name !== 'admin')).toMatch(/^admin-[0-9a-f]{8}$/);
  });

  it.each([
    ['not linked by e-mail address', {}, true, 2],
    ['linked by a verified e-mail address, if the setting allows it', { OIDC_LINK_BY_EMAIL: true }, true, 1],
    ['not linked by an address that is not verified', { OIDC_LINK_BY_EMAIL: true }, false, 2],
  ])('is %s', async (_name, over: NonNullable<Settings>, isVerified, count) => {
    await restart(over);
    await api.send('POST', '/v1/users', { username: 'a.rossi', email: 'anna@example.com', role: 'viewer' });
    await signOn({ sub: ANNA.sub, claims: { ...ANNA.claims, email_verified: isVerified } });
    expect((await users()).filter(({ username }) => username !== 'admin')).toHaveLength(count);
    expect((await userOf('a.rossi')).role).toBe(count === 1 ? 'admin' : 'viewer');
  });

  it('is of the tenant of the claim, and stays there', async () => {
    await restart({ OIDC_TENANT_CLAIM: 'organization' });
    await api.send('POST', '/v1/tenants', { name: 'acme' });
    const of = (organization?: string) => ({
      sub: 'b',
      claims: { preferred_username: 'bruno', groups: ['fleet-admins'], ...(organization && { organization }) },
    });
    // administrators of a customer do not see the state of the operator's server
    const { failed, visitor } = await signOn(of('acme'));
    expect(failed).toBeNull();
    expect(await seesConsole(visitor)).toBe(false);
    expect((await users()).map(({ username }) => username)).toEqual(['admin']);
    expect((await signOn(of('default'))).failed).toBe('sso-tenant');
    expect((await signOn(of('no-such-tenant'))).failed).toBe('sso-tenant');
    expect((await signOn(of())).failed).toBe('sso-tenant');
  });

  it('has a verified address of an allowed domain', async () => {
    await restart({ OIDC_DOMAINS: ['example.com'] });
    const withEmail = (email: string, isVerified = true) => ({
      sub: 'c',
      claims: { ...ANNA.claims, email, email_verified: isVerified },
    });
    expect((await signOn(withEmail('c@example.org'))).failed).toBe('sso-domain');
    expect((await signOn(withEmail('c@sub.example.com'))).failed).toBe('sso-domain');
    expect((await signOn(withEmail('c@example.com', false))).failed).toBe('sso-domain');
    expect((await signOn(withEmail('c@EXAMPLE.com'))).failed).toBeNull();
  });

  it('was authenticated as it is required', async () => {
    await restart({ OIDC_ACR_VALUES: ['mfa'] });
    expect((await signOn()).failed).toBe('sso-acr');
    provider.acr = 'mfa';
    expect((await signOn()).failed).toBeNull();
    expect((await audit('login'))[0]!.after).toMatchObject({ acr: 'mfa', amr: ['pwd', 'otp'] });
  });
});

describe('logging out', () => {
  it('ends the session here, and leads to the logout of the provider', async () => {
    const { visitor } = await signOn();
    const cookie = `fleetgate_session=${visitor.cookie(url, 'fleetgate_session')}`;
    const page = await (
      await fetch(`${url}/logout`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      })
    ).text();
    expect((await fetch(`${url}/console/data`, { headers: { cookie } })).status).toBe(401);
    const target = /url=([^"]+)"/.exec(page)![1]!.replaceAll('&#38;', '&');
    const asked = new URL(target);
    expect(asked.searchParams.get('id_token_hint')).toMatch(/^ey/);
    expect(asked.searchParams.get('post_logout_redirect_uri')).toBe(`${url}/login`);
    // the provider takes the request: it asks whether to log out
    const shown = await visitor.get(target);
    expect(shown.status).toBe(200);
    expect(await shown.text()).toContain('<form');
  });

  it('at the provider ends the sessions here', async () => {
    const { visitor } = await signOn();
    const other = await signOn({ sub: 'other', claims: { preferred_username: 'other', groups: ['fleet-admins'] } });
    const { rows } = await api.database.ingest.query<{ sid: string }>(
      `select sid from sign_on_session where subject = 'anna-1'`,
    );
    await provider.backChannelLogout('anna-1', rows[0]!.sid);
    expect(await seesConsole(visitor)).toBe(false);
    expect(await seesConsole(other.visitor)).toBe(true);
    expect((await audit('logout'))[0]!.after).toEqual({ method: 'back-channel' });
  });

  it('needs a valid logout token', async () => {
    const { visitor } = await signOn();
    const at = Math.floor(systemClock.now() / 1000);
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const valid = { iss: provider.issuer, aud: CLIENT_ID, iat: at, exp: at + 60, jti: 'one', sub: 'anna-1', events };
    const post = async (token: string) =>
      (await fetch(`${url}/login/sso/logout`, { method: 'POST', body: new URLSearchParams({ logout_token: token }) }))
        .status;
    expect(await post('')).toBe(400);
    expect(await post(await provider.sign(valid, 'another'))).toBe(400);
    for (const wrong of [
      { aud: 'another' },
      { iss: 'http://localhost:1' },
      { nonce: 'n' },
      { events: {} },
      { iat: at - 3_600 },
      { sub: undefined },
    ]) {
      expect(await post(await provider.sign({ ...valid, ...wrong } as JWTPayload))).toBe(400);
    }
    expect(await seesConsole(visitor)).toBe(true);
    expect(await post(await provider.sign(valid))).toBe(200);
    expect(await seesConsole(visitor)).toBe(false);
  });
});

describe('passwords', () => {
  const login = (username: string) => api.send('POST', '/v1/auth/credentials', { username, password: PASSWORD });

  it('are those of the first administrator alone, where the setting says so', async () => {
    await api.send('POST', '/v1/users', { username: 'second', role: 'admin', password: PASSWORD });
    expect((await login('second')).status).toBe(200);
    await restart({ PASSWORD_LOGIN: false });
    expect((await login('second')).body.code).toBe('invalid-credentials');
    expect((await login('admin')).status).toBe(200);
    expect((await signOn()).failed).toBeNull();
  });
});

const program = needs('chromium');

describe.skipIf(program === undefined)('in a browser', () => {
  it('one click leads to the console and another one out of it', async () => {
    provider.account = ANNA;
    const browser = await launchChromium(program!);
    try {
      const page = await browser.newPage();
      await page.goto(`${url}/console`);
      await page.click('text=Single sign-on');
      // the cookie is there at once, although the way led through another site
      await page.waitForURL(`${url}/console`);
      await page.click('text=Log out');
      await page.waitForURL(`${provider.issuer}/session/end**`);
      await page.goto(`${url}/console`);
      await expect.poll(() => new URL(page.url()).pathname).toBe('/login');
    } finally {
      await browser.close();
    }
  });
});
