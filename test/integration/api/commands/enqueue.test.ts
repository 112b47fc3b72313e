import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SCOPES } from '../../../../src/server/index.ts';
import { type CommandWorld, openCommands } from './support.ts';

const OPEN_COMMANDS = 40;
let world: CommandWorld;
beforeAll(async () => {
  world = await openCommands({ WEBHOOK_PRIVATE: false, OPEN_COMMANDS });
});
afterAll(() => world?.stop());

const MINUTE = 60_000;
const find = async (id: string) => (await world.api.get(`/v1/gprsCommands/${id}`)).body;

describe('a command that is queued', () => {
  test('is answered as documented, and found with its history', async () => {
    const imei = await world.device();
    const made = await world.enqueue({ imei, gprsCommand: 'getinfo' });
    expect(made).toMatchObject({ status: 200, body: { message: 'Command queued', status: 'pending' } });
    expect(Object.keys(made.body).sort()).toEqual(['commandId', 'expiresAt', 'message', 'status']);
    const { createdAt, history, ...rest } = await find(made.body.commandId);
    expect(rest).toEqual({
      commandId: made.body.commandId,
      imei,
      gprsCommand: 'getinfo',
      status: 'pending',
      priority: 5,
      delivery: 'at_least_once',
      expiresAt: made.body.expiresAt,
      sentAt: null,
      acknowledgedAt: null,
      attempts: 0,
      maxAttempts: 3,
      type: 'custom',
      attributes: { data: 'getinfo' },
      conditions: null,
      notBefore: null,
      ackBy: null,
      mayHaveExecuted: false,
      late: false,
      gatewayId: null,
      batchId: null,
      response: null,
      responseEncoding: null,
      error: null,
      createdBy: 'key:API_KEY',
    });
    expect(Date.parse(made.body.expiresAt) - Date.parse(createdAt)).toBe(86_400_000);
    expect(history).toEqual([
      { at: expect.any(String), from: null, to: 'pending', reason: 'enqueued', actor: 'key:API_KEY' },
    ]);
  });

  test('is accepted with and without a slash at the end of the path', async () => {
    const imei = await world.device();
    for (const path of ['/v1/gprsCommands', '/v1/gprsCommands/']) {
      expect((await world.api.send('POST', path, { imei, gprsCommand: 'x' })).status).toBe(200);
    }
  });

  test('keeps all members of its request', async () => {
    const imei = await world.device();
    const insidePolygon = [
      [12, 41],
      [13, 41],
      [13, 42],
      [12, 41],
    ];
    const notBefore = Date.now() + MINUTE;
    const { body } = await world.enqueue({
      imei,
      type: 'engineStop',
      ttlSeconds: 200,
      priority: 1,
      delivery: 'at_least_once',
      maxAttempts: 7,
      ackTimeoutSeconds: 5,
      conditions: { maxSpeed: 10, ignition: false, insidePolygon },
      notBefore,
    });
    expect(await find(body.commandId)).toMatchObject({
      gprsCommand: null,
      type: 'engineStop',
      attributes: {},
      priority: 1,
      delivery: 'at_least_once',
      maxAttempts: 7,
      conditions: { maxSpeed: 10, ignition: false, insidePolygon },
      notBefore: new Date(notBefore).toISOString(),
    });
  });

  test('registers its device in the tenant if devices register themselves', async () => {
    expect((await world.enqueue({ imei: 'fresh-1', gprsCommand: 'x' })).status).toBe(200);
    expect((await world.api.get('/v1/devices/fresh-1')).body.registeredBy).toBe('itself');
    const otherTenant = await world.key(['commands:write'], 'other-tenant');
    const refused = await world.enqueue({ imei: 'fresh-2', gprsCommand: 'x' }, otherTenant);
    expect(refused.body).toMatchObject({ status: 404, code: 'unknown-device' });
    expect((await world.api.get('/v1/devices/fresh-2')).status).toBe(404);
  });

  test('is sent to the gateway as text or as bytes', async () => {
    const gateway = await world.gateway();
    const imei = await world.device();
    await gateway.connect(imei);
    await world.enqueue({ imei, gprsCommand: 'getinfo' });
    const text = await gateway.next();
    expect(text).toMatchObject({ imei, command: 'custom', params: { data: 'getinfo' }, attempt: 1 });
    await gateway.sent(text);
    await gateway.answer(text);
    await world.enqueue({ imei, gprsCommand: '00FF10', encoding: 'hex' });
    expect(await gateway.next()).toMatchObject({ hex: '00FF10' });
    gateway.close();
  });
});

describe('a request that cannot be queued is answered with a specific code and changes nothing:', () => {
  let before: number;
  let imei: string;
  let spoken: string;
  beforeAll(async () => {
    imei = await world.device();
    spoken = await world.device({ protocol: 'h02' });
  });
  beforeEach(async () => {
    before = await world.commands();
  });
  const refused = async (body: object, status: number, code: string, headers = {}) => {
    const answer = await world.enqueue(body, headers);
    expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ status, code });
    expect(await world.commands()).toBe(before);
    return answer.body;
  };

  test('a device id that is invalid, or is missing', async () => {
    for (const bad of ['', 'a b', 'x'.repeat(65), 'Ä', 7, null, undefined]) {
      await refused({ imei: bad, gprsCommand: 'x' }, 422, 'bad-device-id');
    }
  });

  test('no command, two commands, or a command that is not text', async () => {
    await refused({ imei }, 422, 'invalid');
    await refused({ imei, gprsCommand: 'x', type: 'engineStop' }, 422, 'invalid');
    await refused({ imei, gprsCommand: '' }, 422, 'invalid');
    await refused({ imei, gprsCommand: 'a\0b' }, 422, 'invalid');
    await refused({ imei, gprsCommand: 'a\ud800b' }, 422, 'invalid');
    await refused({ imei, gprsCommand: 'x', dedupeKey: '\0' }, 422, 'invalid');
    await refused({ imei, gprsCommand: 'x', attributes: { a: 1 } }, 422, 'invalid');
    await refused({ imei, gprsCommand: '0g', encoding: 'hex' }, 422, 'invalid');
    await refused({ imei, type: 'engineStop', encoding: 'hex' }, 422, 'invalid');
  });

  test('an unknown member of the command or of its conditions', async () => {
    const detailOf = async (body: object) => JSON.stringify((await refused(body, 422, 'invalid')).errors);
    expect(await detailOf({ imei, gprsCommand: 'x', conditions: { maxspeed: 20 } })).toContain('maxspeed');
    expect(await detailOf({ imei, gprsCommand: 'x', ttl: 20 })).toContain('ttl');
    const batch = await world.api.send('POST', '/v1/gprsCommands/batch', {
      imeis: [imei],
      gprsCommand: 'x',
      conditions: { maxspeed: 20 },
    });
    expect(batch.body).toMatchObject({ status: 422, code: 'invalid' });
    expect(JSON.stringify(batch.body.errors)).toContain('maxspeed');
  });

  test('a megabyte of text, and one byte too many', async () => {
    await refused({ imei, gprsCommand: 'x'.repeat(1_000_000) }, 422, 'command-too-long');
    await refused({ imei, gprsCommand: 'x'.repeat(1_048_576) }, 413, 'too-large');
    await refused({ imei, gprsCommand: `${'x'.repeat(1023)}ä` }, 422, 'command-too-long');
    await refused({ imei, gprsCommand: '00'.repeat(1025), encoding: 'hex' }, 422, 'command-too-long');
    expect((await world.enqueue({ imei, gprsCommand: 'x'.repeat(1024) })).status).toBe(200);
    expect((await world.enqueue({ imei, gprsCommand: '00'.repeat(1024), encoding: 'hex' })).status).toBe(200);
  });

  test('a time to live of a century, of zero, or longer than allowed for a privileged command', async () => {
    for (const ttlSeconds of [3_155_760_000, 2_592_001, 0, -1, 0.5]) {
      await refused({ imei, gprsCommand: 'x', ttlSeconds }, 422, 'ttl-out-of-range');
    }
    await refused({ imei, type: 'engineStop', ttlSeconds: 301 }, 422, 'ttl-out-of-range');
    await refused({ imei, gprsCommand: 'x', ttlSeconds: 60, notBefore: Date.now() + 61_000 }, 422, 'invalid');
    expect((await world.enqueue({ imei, gprsCommand: 'x', ttlSeconds: 2_592_000 })).status).toBe(200);
  });

  test('an unknown device, if devices do not register themselves', async () => {
    const otherTenant = await world.key(['commands:write'], 'other-tenant');
    await refused({ imei: 'nobody', gprsCommand: 'x' }, 404, 'unknown-device', otherTenant);
  });

  test('a command that the protocol does not have or cannot encode', async () => {
    const problem = await refused({ imei: spoken, type: 'requestPhoto' }, 422, 'unsupported-by-protocol');
    expect(problem.detail).toBe('h02 takes alarmArm, alarmDisarm, custom, engineResume, engineStop, positionPeriodic');
    await refused({ imei: spoken, type: 'positionPeriodic' }, 422, 'bad-parameters');
    await refused({ imei: spoken, type: 'positionPeriodic', attributes: { frequency: 90_000 } }, 422, 'bad-parameters');
    await refused({ imei: spoken, type: 'alarmArm', attributes: { zone: 1 } }, 422, 'bad-parameters');
    await refused({ imei, type: 'makeCoffee' }, 422, 'unsupported-by-protocol');
    const gt06 = await world.device({ protocol: 'gt06' });
    await refused({ imei: gt06, gprsCommand: '日本' }, 422, 'bad-parameters');
  });

  test('the protocol of the device’s session has precedence over its options', async () => {
    const gateway = await world.gateway();
    const device = await world.device({ protocol: 'jt808' });
    expect((await world.enqueue({ imei: device, type: 'requestPhoto' })).status).toBe(200);
    before++;
    await gateway.connect(device, 'h02');
    await refused({ imei: device, type: 'requestPhoto' }, 422, 'unsupported-by-protocol');
    gateway.close();
  });

  test('a call-back to a private address', async () => {
    const urls = [
      'http://127.0.0.1/',
      'http://localhost:1/',
      'http://[::1]/',
      'https://10.1.2.3/x',
      'http://2130706433/',
    ];
    urls.push('http://[::ffff:192.168.0.1]/', 'http://169.254.169.254/latest', 'http://0x7f.1/');
    for (const callbackUrl of urls) {
      await refused({ imei, gprsCommand: 'x', callbackUrl }, 422, 'private-address');
    }
    for (const callbackUrl of ['ftp://example.org/', 'no url', 'javascript:alert(1)']) {
      await refused({ imei, gprsCommand: 'x', callbackUrl }, 422, 'invalid');
    }
  });

  test('one more open command than the setting permits', async () => {
    const device = await world.device();
    await world.fill(device, OPEN_COMMANDS - 3);
    const all = await Promise.all(Array.from({ length: 5 }, () => world.enqueue({ imei: device, gprsCommand: 'x' })));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(all.filter(({ body }) => body.code === 'device-queue-full' && body.status === 429)).toHaveLength(2);
    before += OPEN_COMMANDS;
    await refused({ imei: device, gprsCommand: 'x' }, 429, 'device-queue-full');
  });

  test('a second with the same dedupeKey, until the first has ended', async () => {
    const device = await world.device();
    const first = await world.enqueue({ imei: device, gprsCommand: 'x', dedupeKey: 'k' });
    before++;
    await refused({ imei: device, gprsCommand: 'x', dedupeKey: 'k' }, 409, 'duplicate-pending');
    await world.api.send('DELETE', `/v1/gprsCommands/${first.body.commandId}`);
    const again = await world.enqueue({ imei: device, gprsCommand: 'x', dedupeKey: 'k' });
    expect(again.status).toBe(200);
  });

  test('a request without the necessary scope', async () => {
    const reader = await world.key(['commands:read']);
    await refused({ imei, gprsCommand: 'x' }, 403, 'missing-scope', reader);
    expect((await world.enqueue({ imei: '' }, { authorization: 'Bearer nobody' })).body.code).toBe('unauthorized');
  });
});

describe('a privileged command', () => {
  const harmless = SCOPES.filter((scope) => scope !== 'commands:privileged');

  test('needs its scope, is sent at most once and lives 300 s, known by type or by text', async () => {
    const key = await world.key(harmless);
    const cases: [object, object][] = [
      [{ type: 'engineStop' }, {}],
      [{ gprsCommand: 'setdigout 1' }, { protocol: 'teltonika' }],
      // no protocol is known: what any of them marks
      [{ gprsCommand: 'setdigout 1' }, {}],
      [{ gprsCommand: 'Relay,1#' }, {}],
      [{ gprsCommand: Buffer.from('setdigout 1').toString('hex'), encoding: 'hex' }, {}],
      [{ gprsCommand: Buffer.from('Relay,1#').toString('hex'), encoding: 'hex' }, { protocol: 'gt06' }],
    ];
    for (const [command, options] of cases) {
      const imei = await world.device(options);
      const refused = await world.enqueue({ imei, ...command }, key);
      expect(refused.body, JSON.stringify(command)).toMatchObject({ status: 403, code: 'missing-scope' });
      const made = await find((await world.enqueue({ imei, ...command })).body.commandId);
      expect(made.delivery).toBe('at_most_once');
      expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(300_000);
    }
  });

  test('is classified by what would reach the device, in whichever way it is requested', async () => {
    const key = await world.key(['commands:write']);
    const hex = (text: string) => Buffer.from(text, 'latin1').toString('hex');
    const texts: Record<string, string[]> = {
      teltonika: ['setdigout 1', 'cpureset', 'setparam 2001:internet', 'setparam 1000:1;2004:192.0.2.7', 'defaultcfg'],
      gt06: ['RELAY,1#', 'RESET#', 'FACTORY#', 'SERVER,1,example.com,5300,0#', 'APN,internet#'],
    };
    for (const [protocol, ownTexts] of Object.entries(texts)) {
      const imei = await world.device({ protocol });
      const before = await world.commands();
      for (const text of ownTexts) {
        const ways = [
          { gprsCommand: text },
          { gprsCommand: hex(text), encoding: 'hex' },
          { type: 'custom', attributes: { data: text } },
          ...(protocol === 'teltonika'
            ? [{ gprsCommand: hex(text) }, { type: 'custom', attributes: { data: hex(text) } }]
            : []),
        ];
        for (const way of ways) {
          const refused = await world.enqueue({ imei, ...way }, key);
          expect(refused.body, JSON.stringify(way)).toMatchObject({ status: 403, code: 'missing-scope' });
          const batch = await world.api.send('POST', '/v1/gprsCommands/batch', { imeis: [imei], ...way }, key);
          expect(batch.body.commands, JSON.stringify(way)).toMatchObject([
            { imei, problem: { code: 'missing-scope' } },
          ]);
        }
      }
      expect(await world.commands()).toBe(before);
    }
    const imei = await world.device({ protocol: 'teltonika' });
    const move = { imei, type: 'setParameter', attributes: { id: 2004, value: '192.0.2.7' } };
    expect((await world.enqueue(move, key)).body.code).toBe('missing-scope');
    const harmless = await world.enqueue({ ...move, attributes: { id: 1000, value: '1' } }, key);
    expect(harmless.status).toBe(200);
    const text = await world.enqueue({ imei, type: 'custom', attributes: { data: 'getver' } }, key);
    expect(await find(text.body.commandId)).toMatchObject({ type: 'custom', gprsCommand: 'getver' });
  });

  test('is open to keys and tokens that hold its scope under the deprecated name', async () => {
    const scopes = ['app', 'commands:dangerous', 'commands:write'];
    const current = ['app', 'commands:privileged', 'commands:write'];
    const made = await world.api.send('POST', '/v1/keys', { name: 'old', scopes });
    expect(made.body.scopes).toEqual(current);
    // a key of a version that knew only the old name
    await world.sql(`update api_key set scopes = '{${scopes.join(',')}}' where id = '${made.body.id}'`);
    const exchanged = await world.api.send(
      'POST',
      '/v1/auth/user_api',
      { apiKey: made.body.key, scope: 'commands:dangerous commands:write' },
      { authorization: '' },
    );
    expect(exchanged.body.scope).toBe('commands:privileged commands:write');
    for (const token of [made.body.key, exchanged.body.accessToken]) {
      const queued = await world.enqueue(
        { imei: await world.device({}), type: 'engineStop' },
        { authorization: `Bearer ${token}` },
      );
      expect(queued.status).toBe(200);
    }
    const listed = (await world.api.get('/v1/keys')).body.items.find(({ id }: { id: string }) => id === made.body.id);
    expect(listed.scopes).toEqual(current);
  });

  test('is unknown to another protocol', async () => {
    const imei = await world.device({ protocol: 'jt808' });
    const made = await find((await world.enqueue({ imei, gprsCommand: 'lvcanopenalldoors' })).body.commandId);
    expect(made.delivery).toBe('at_least_once');
  });

  test('is also defined by patterns of the tenant', async () => {
    const key = await world.key(harmless);
    const set = (body: object, headers = {}) => world.api.send('PUT', '/v1/gprsCommands/settings', body, headers);
    expect((await set({ dangerousCommands: ['*'] })).body.code).toBe('invalid');
    expect((await set({ dangerousCommands: ['sprinkle*all'] }, key)).body.code).toBe('missing-scope');
    expect((await set({ dangerousCommands: ['sprinkle*all'] })).body).toEqual({
      dangerousCommands: ['sprinkle*all'],
      wakeUpUrl: null,
    });
    expect((await world.api.get('/v1/gprsCommands/settings')).body.dangerousCommands).toEqual(['sprinkle*all']);
    const imei = await world.device();
    expect((await world.enqueue({ imei, gprsCommand: 'please SPRINKLE it ALL' }, key)).body.code).toBe('missing-scope');
    const data = 'please sprinkle them all';
    expect((await world.enqueue({ imei, type: 'custom', attributes: { data } }, key)).body.code).toBe('missing-scope');
    const inHex = { imei, gprsCommand: Buffer.from(data).toString('hex'), encoding: 'hex' };
    expect((await world.enqueue(inHex, key)).body.code).toBe('missing-scope');
    expect((await world.enqueue({ imei, gprsCommand: 'all sprinkle' }, key)).status).toBe(200);
    const otherTenant = await world.key([...SCOPES], 'other-tenant');
    expect((await world.api.get('/v1/gprsCommands/settings', otherTenant)).body.dangerousCommands).toEqual([]);
    await set({});
    expect((await set({ wakeUpUrl: 'http://10.0.0.1/' })).body.code).toBe('private-address');
  });
});

describe('the data with which a command was encoded', () => {
  const photo = (imei: string) => world.enqueue({ imei, type: 'requestPhoto' });
  const change = async (imei: string, options: object) => {
    const done = await world.api.send('PATCH', `/v1/devices/${imei}`, { options });
    if (done.status !== 200) throw new Error(JSON.stringify(done.body));
  };

  test('may change between two commands: the device’s options', async () => {
    const imei = await world.device({ protocol: 'jt808' });
    expect((await world.enqueue({ imei, gprsCommand: 'x' })).status).toBe(200);
    await change(imei, { protocol: 'h02' });
    expect((await photo(imei)).body.code).toBe('unsupported-by-protocol');
    await change(imei, {});
    expect((await photo(imei)).status).toBe(200);
  });

  test('may change between two commands: the protocol of the device', async () => {
    const imei = await world.device();
    expect((await photo(imei)).status).toBe(200);
    await (await world.gateway()).connect(imei, 'h02');
    expect((await photo(imei)).body.code).toBe('unsupported-by-protocol');
  });

  test('may change between two commands: the tenant’s privileged patterns, the device itself', async () => {
    const imei = await world.device();
    const key = await world.key(SCOPES.filter((scope) => scope !== 'commands:privileged'));
    const order = () => world.enqueue({ imei, gprsCommand: 'unlock doors' }, key);
    expect((await order()).status).toBe(200);
    await world.sql(
      `insert into tenant_setting (tenant_id, dangerous_commands) select tenant_id, '{unlock}' from tenant
       where name = 'default' on conflict (tenant_id) do update set dangerous_commands = '{unlock}'`,
    );
    expect((await order()).body.code).toBe('missing-scope');
    await world.sql(`update tenant_setting set dangerous_commands = '{}'`);
    expect((await order()).status).toBe(200);
    await world.api.send('DELETE', `/v1/devices/${imei}`);
    await world.sql('delete from device where imei = $1', [imei]);
    const otherTenant = await world.key(SCOPES.slice(), 'other');
    expect((await world.enqueue({ imei, gprsCommand: 'x' }, otherTenant)).body.code).toBe('unknown-device');
  });

  test('are recorded once with the command', async () => {
    const imei = await world.device();
    const key = { 'idempotency-key': 'written-down' };
    const made = await world.enqueue({ imei, gprsCommand: 'x' }, key);
    const again = await world.enqueue({ imei, gprsCommand: 'x' }, key);
    const { commandId } = made.body;
    expect(again.body.commandId).toBe(commandId);
    const { items } = (await world.api.get(`/v1/audit?object=${commandId}`)).body;
    expect(items).toMatchObject([
      {
        action: 'POST /v1/gprsCommands/',
        object: commandId,
        after: { imei, type: 'custom', gprsCommand: 'x' },
        before: null,
      },
    ]);
    expect(items[0].requestId).toBe(made.headers.get('x-request-id'));
    expect((await world.enqueue({ imei: 'no body', gprsCommand: 'x' })).status).toBeGreaterThan(400);
  });

  test('are recorded with what is sent, for each device of a batch', async () => {
    const imeis = [await world.device(), await world.device()];
    const conditions = { maxSpeed: 5 };
    const batch = await world.api.send('POST', '/v1/gprsCommands/batch', {
      imeis,
      gprsCommand: 'setdigout 1',
      conditions,
    });
    for (const { imei, commandId } of batch.body.commands) {
      const { items } = (await world.api.get(`/v1/audit?object=${commandId}`)).body;
      expect(items).toMatchObject([
        {
          action: 'POST /v1/gprsCommands/batch',
          after: { imei, type: 'custom', gprsCommand: 'setdigout 1', batchId: batch.body.batchId, conditions },
        },
      ]);
    }
  });
});
