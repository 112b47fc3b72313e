import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addConsole } from '../../../src/server/console/index.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

const PASSWORD = 'a depot of nine lorries';
const mails: { to: string; text: string }[] = [];
let notify: (() => void) | undefined;
let api: RunningApi;

beforeAll(async () => {
  api = await withDatabase((url) =>
    startApi(
      url,
      { TRUST_PROXY: 1, COMPAT_TRACCAR: true },
      {
        adminPassword: PASSWORD,
        sendMail: async (mail) => {
          mails.push(mail);
          notify?.();
        },
        pages: (app, services) =>
          addConsole(app, { tenantOf: services.tenantOf, overview: async (tenantId) => ({ tenantId }) as never }),
      },
    ),
  );
  for (const name of ['acme', 'bravo']) {
    await api.send('POST', '/v1/tenants', { name, admin: { username: `boss-${name}`, password: PASSWORD } });
    const asBoss = await bearerOf(name, `boss-${name}`);
    for (const user of [
      { username: 'mario', email: `mario@${name}.example` },
      { username: `only-${name}`, email: `only@${name}.example` },
      { username: 'shared', email: 'shared@both.example' },
      // also the name of the administrator of the default tenant
      { username: 'admin', email: `admin@${name}.example` },
    ])
      await api.send('POST', '/v1/users', { ...user, role: 'dispatcher', password: PASSWORD }, asBoss);
  }
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

let addresses = 0;
const address = (): string => `10.2.${++addresses >> 8}.${addresses & 255}`;
const form = (fields: Record<string, string>, from = address()) =>
  fetch(`${api.url}/login`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'x-forwarded-for': from },
    redirect: 'manual',
  });
const credentials = (body: object, from = address()) =>
  api.send('POST', '/v1/auth/credentials', body, { authorization: '', 'x-forwarded-for': from });
const bearerOf = async (tenant: string, username: string) => {
  const { body } = await credentials({ tenant, username, password: PASSWORD });
  return { authorization: `Bearer ${body.accessToken}` };
};
/** Name of the tenant that the form logs in to, or where it leads otherwise. */
async function tenantOfLogin(fields: Record<string, string>): Promise<string> {
  const response = await form({ password: PASSWORD, ...fields });
  const cookie = response.headers.get('set-cookie')?.split(';')[0];
  if (cookie === undefined) return response.headers.get('location')!;
  const me = await fetch(`${api.url}/v1/app/me`, { headers: { cookie, 'x-requested-with': 'fleetgate-console' } });
  return ((await me.json()) as { tenant: { name: string } }).tenant.name;
}

describe('the login page', () => {
  test('admits users of other tenants by the name of the tenant, or its id', async () => {
    expect(await tenantOfLogin({ user: 'mario', tenant: 'acme' })).toBe('acme');
    expect(await tenantOfLogin({ user: 'mario', tenant: ' Bravo ' })).toBe('bravo');
    expect(await tenantOfLogin({ user: 'mario', tenant: String(await api.database.tenantId('bravo')) })).toBe('bravo');
    expect(await tenantOfLogin({ user: 'mario@bravo.example', tenant: 'bravo' })).toBe('bravo');
    expect(await tenantOfLogin({ user: 'admin', tenant: 'acme' })).toBe('acme');
  });

  test('needs no tenant for a user name or an e-mail address that exists once', async () => {
    expect(await tenantOfLogin({ user: 'only-acme' })).toBe('acme');
    expect(await tenantOfLogin({ user: 'Only-Bravo', tenant: '' })).toBe('bravo');
    expect(await tenantOfLogin({ user: 'mario@bravo.example' })).toBe('bravo');
  });

  test('takes a name that several tenants use for that of the default tenant', async () => {
    expect(await tenantOfLogin({ user: 'admin' })).toBe('default');
    expect(await tenantOfLogin({ user: 'admin', tenant: 'default' })).toBe('default');
  });

  test('answers the same for what is unknown, wrong or ambiguous', async () => {
    const refused = '/login?failed=wrong&next=%2Fconsole';
    expect(await tenantOfLogin({ user: 'mario' })).toBe(refused);
    expect(await tenantOfLogin({ user: 'shared@both.example' })).toBe(refused);
    expect(await tenantOfLogin({ user: 'nobody' })).toBe(refused);
    expect(await tenantOfLogin({ user: 'only-acme', password: 'wrong' })).toBe(refused);
    for (const fields of [
      { user: 'mario', password: 'wrong' },
      { user: 'nobody', password: PASSWORD },
      { user: 'only-bravo', password: PASSWORD },
    ])
      expect(await tenantOfLogin({ ...fields, tenant: 'acme' })).toBe(`${refused}&tenant=acme`);
    expect(await tenantOfLogin({ user: 'mario', tenant: 'a&b=c' })).toBe(`${refused}&tenant=a%26b%3Dc`);
  });

  test('keeps the tenant while it asks for a one-time password', async () => {
    const me = await bearerOf('bravo', 'mario');
    const { secret } = (await api.send('POST', '/v1/users/me/otp', { password: PASSWORD }, me)).body;
    const otp = new TOTP({ secret: Secret.fromBase32(secret) });
    await api.send('POST', '/v1/users/me/otp/confirm', { otp: otp.generate() }, me);
    const asked = { user: 'mario', tenant: 'bravo' };
    expect(await tenantOfLogin(asked)).toBe('/login?failed=otp&next=%2Fconsole&tenant=bravo');
    const next = otp.generate({ timestamp: Date.now() + 30_000 });
    expect(await tenantOfLogin({ ...asked, otp: next })).toBe('bravo');
    await api.send('DELETE', '/v1/users/me/otp', { password: PASSWORD }, me);
  });

  test('does not count users of a disabled tenant', async () => {
    const turn = (active: boolean) => api.send('PATCH', '/v1/tenants/bravo', { active });
    await turn(false);
    expect(await tenantOfLogin({ user: 'shared' })).toBe('acme');
    expect(await tenantOfLogin({ user: 'only-bravo' })).toBe('/login?failed=wrong&next=%2Fconsole');
    await turn(true);
    expect(await tenantOfLogin({ user: 'shared' })).toBe('/login?failed=wrong&next=%2Fconsole');
  });
});

describe('wrong passwords without a tenant', () => {
  const failures = async (steps: readonly Record<string, string>[], username: string): Promise<number[]> => {
    const from = address();
    const statuses = [];
    for (const step of steps) statuses.push((await credentials({ username, password: 'wrong', ...step }, from)).status);
    return statuses;
  };

  test('lock users of other tenants and unknown ones after as many attempts, however the tenant is written', async () => {
    const times = (count: number, step: Record<string, string>) => Array.from({ length: count }, () => step);
    for (const steps of [
      times(6, {}),
      [...times(5, {}), { tenant: 'default' }, { tenant: 'acme' }],
      [...times(5, { tenant: 'acme' }), {}, { tenant: 'ACME' }],
    ]) {
      const unknown = await failures(steps, 'nobody-at-all');
      expect(unknown).toContain(423);
      for (const username of ['only-acme', 'only-bravo', 'mario', 'admin'])
        expect(await failures(steps, username), username).toEqual(unknown);
    }
  });

  test('are not forgotten when somebody logs in whose user name is the same in another tenant', async () => {
    const from = address();
    const guess = () => credentials({ username: 'admin', password: 'wrong' }, from);
    for (let i = 0; i < 4; i++) expect((await guess()).status).toBe(401);
    expect((await credentials({ username: 'admin@acme.example', password: PASSWORD }, from)).body.user).toMatchObject({
      username: 'admin',
      tenant: 'acme',
    });
    expect((await guess()).status).toBe(401);
    expect((await guess()).status).toBe(423);
  });
});

describe('recovery', () => {
  const start = (body: object) =>
    api.send('POST', '/v1/app/recovery_mode', body, { authorization: '', 'x-forwarded-for': address() });
  const finish = (body: object) =>
    api.send('PUT', '/v1/app/recovery_mode', body, { authorization: '', 'x-forwarded-for': address() });
  const mailOf = async (body: object): Promise<{ to: string; text: string }> => {
    const arrived = new Promise<void>((resolve) => {
      notify = resolve;
    });
    expect((await start(body)).status).toBe(200);
    await arrived;
    return mails.at(-1)!;
  };

  test('needs no tenant for a user that exists once, and sends nothing for an ambiguous one', async () => {
    const unknown = await start({ username: 'nobody' });
    expect((await start({ username: 'mario' })).body).toEqual(unknown.body);
    const { to, text } = await mailOf({ username: 'only-acme' });
    expect(to).toBe('only@acme.example');
    expect(mails.map((mail) => mail.to)).toEqual(['only@acme.example']);
    const code = /Code: +(\S+)/.exec(text)![1]!;
    const newPassword = 'a depot of ten lorries';
    expect((await finish({ username: 'only-acme', code, newPassword })).status).toBe(200);
    expect(await tenantOfLogin({ user: 'only-acme', password: newPassword })).toBe('acme');
    expect((await mailOf({ email: 'mario@bravo.example' })).to).toBe('mario@bravo.example');
    expect((await mailOf({ username: 'mario', tenant: 'acme' })).to).toBe('mario@acme.example');
  });
});

test('the Traccar session takes users of other tenants in the same way', async () => {
  const session = async (email: string) => {
    const response = await fetch(`${api.url}/api/session`, {
      method: 'POST',
      body: new URLSearchParams({ email, password: PASSWORD }),
      headers: { 'x-forwarded-for': address() },
    });
    return { status: response.status, body: response.ok ? await response.json() : undefined };
  };
  expect(await session('only-bravo')).toMatchObject({ status: 200, body: { email: 'only@bravo.example' } });
  expect(await session('acme/mario')).toMatchObject({ status: 200, body: { email: 'mario@acme.example' } });
  expect((await session('mario')).status).toBe(401);
});
