import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { createMailer, type Mailer } from '../../../src/platform/mail.ts';
import { createMessaging, emailBy, type Messaging, webhookBy } from '../../../src/server/alerts/messaging/index.ts';
import { postgresBackend, prepareJobTables } from '../../../src/server/commands/dispatch/queue/index.ts';
import { openDatabase } from '../../../src/server/database/index.ts';
import { createOutbound } from '../../../src/server/kernel/outbound/index.ts';
import { type Notifying, report, startNotifying } from '../../support/alerts.ts';
import { API_KEY, silent } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { openEvents } from '../../support/events.ts';
import { type MailServer, type Receiver, startMailServer, startReceiver } from '../../support/receivers.ts';

let house: Notifying;
let messaging: Messaging;
let receiver: Receiver;
let mail: MailServer;
let mailer: Mailer;
const users = { it: '', en: '' };
let driverId: string;
let geofenceId: string;

const YARD = [
  [12.51, 41.89],
  [12.53, 41.89],
  [12.53, 41.91],
  [12.51, 41.91],
  [12.51, 41.89],
];
const AREA = 'Deposito Città';

beforeAll(async () => {
  [receiver, mail] = [await startReceiver(), await startMailServer()];
  const url = await withDatabase(async (one) => one);
  await (await openDatabase({ url, log: silent, prepare: prepareJobTables })).close();
  house = await startNotifying(url, {}, { adminPassword: 'words of the owner' });
  const { api } = house;
  mailer = createMailer(mail.url, 'Fleetgate <fleet@example.org>');
  const { post } = createOutbound({ allowsPrivate: true });
  const never = async (): Promise<never> => {
    throw new Error('not a channel of these rules');
  };
  messaging = createMessaging({
    pool: api.database.ingest,
    clock: systemClock,
    log: silent,
    kept: 100,
    everyMs: 20,
    connections: postgresBackend(api.database.foreignPool),
    sends: {
      email: emailBy((one) => mailer.send(one)),
      webhook: webhookBy({ post, sign: async () => ({}) }),
      web_push: never,
      fcm: never,
    },
  });
  messaging.start();
  for (const locale of ['it', 'en'] as const) {
    const user = { username: `user-${locale}`, role: 'viewer', password: 'words of the owner', allVehicles: true };
    const zone = locale === 'en' ? { timezone: 'Asia/Tokyo' } : {};
    const made = await api.send('POST', '/v1/users', { ...user, ...zone, locale, email: `${locale}@example.org` });
    expect(made.status).toBe(200);
    users[locale] = made.body.id;
  }
  await api.send('POST', '/v1/vehicles', { targa: 'AB123CD' });
  await house.drive(report('imei-1', '2026-01-01T00:00:00Z'));
  await api.send('POST', '/v1/pairings', { targa: 'AB123CD', imei: 'imei-1', from: 1_000_000_000_001 });
  driverId = (await api.send('POST', '/v1/drivers', { name: 'Nicolò D’Amico' })).body.id;
  await api.send('POST', '/v1/pairings', { targa: 'AB123CD', driverId, from: '2026-06-01T00:00:00Z' });
  const area = { type: 'polygon', coordinates: YARD };
  geofenceId = (await api.send('POST', '/v1/geofences', { name: AREA, area })).body.id;
  for (const [type, params] of [
    ['geofence_enter', { geofences: [AREA] }],
    ['overspeed', { limitKmh: 90 }],
    ['temperature', { maxTemperature: 8 }],
  ] as const) {
    const made = await api.send('PUT', '/v1/v1/notifications', {
      notification_data: {
        type,
        timezone: 'Europe/Rome',
        vehicles: ['AB123CD'],
        users: ['user-it', 'user-en'],
        channels: ['app', 'email', 'webhook'],
        params: { ...params, webhookUrl: `${receiver.url}/hook` },
      },
    });
    expect(made.status).toBe(200);
  }
});
afterAll(async () => {
  await messaging?.stop();
  await house?.stop();
  mailer?.close();
  await Promise.all([receiver?.close(), mail?.close()]);
  await dropDatabases();
});

interface Message {
  readonly userId: string;
  readonly type: string;
  readonly title: string;
  readonly body: string;
  readonly [member: string]: unknown;
}

const unquoted = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

/** Recipient, subject and text of a mail as it came over the wire (RFC 5322, RFC 2045, RFC 2047). */
function readMail(wire: string): { to: string; subject: string; text: string } {
  const end = wire.indexOf('\r\n\r\n');
  const head = wire.slice(0, end).replace(/\r\n[ \t]+/g, ' ');
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
  const subject = field('Subject')
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(text, 'base64').toString('utf8') : unquoted(text.replaceAll('_', ' ')),
    );
  // a line that begins with a dot has another one before it (RFC 5321, 4.5.2)
  const body = wire
    .slice(end + 4)
    .replace(/\r\n\.\r\n$/, '')
    .replace(/\r\n\.\./g, '\r\n.');
  const isBase64 = field('Content-Transfer-Encoding') === 'base64';
  const text = isBase64 ? Buffer.from(body, 'base64').toString('utf8') : unquoted(body);
  return { to: field('To'), subject, text: text.trim() };
}

const wait = { timeout: 60_000, interval: 100 };

const EXPECTED = {
  geofence_enter: {
    it: { title: `Ingresso in area (${AREA}): AB123CD`, amount: undefined },
    en: { title: `Geofence entered (${AREA}): AB123CD`, amount: undefined },
  },
  overspeed: {
    it: { title: 'Eccesso di velocità (112,5 km/h): AB123CD', amount: '112,5 km/h' },
    en: { title: 'Overspeed (112.5 km/h): AB123CD', amount: '112.5 km/h' },
  },
  temperature: {
    it: { title: 'Temperatura fuori soglia (9,4 °C): AB123CD', amount: '9,4 °C' },
    en: { title: 'Temperature out of range (9.4 °C): AB123CD', amount: '9.4 °C' },
  },
} as const;

describe('a message in the language of its user', () => {
  test('names geofence, value, driver, time and place alike in the app, by e-mail, by webhook and in the event stream', async () => {
    const stream = await openEvents(`${house.api.url}/v1/events?types=notification`, {
      authorization: `Bearer ${API_KEY}`,
    });
    const at = (time: string, over: object = {}) => report('imei-1', `2026-06-02T${time}Z`, over);
    const inside = { latitude: 41.9, longitude: 12.52 };
    await house.drive(
      at('10:00:00'),
      at('10:01:00', { ...inside, speed: 112.5 }),
      at('10:02:00', { ...inside, attributes: { temp1: 9.4 } }),
    );
    const pairs = Object.keys(EXPECTED).flatMap((type) => [
      [type, 'it'],
      [type, 'en'],
    ]) as [keyof typeof EXPECTED, 'it' | 'en'][];
    // one request for each event, however many users are notified
    await expect.poll(() => [mail.mails.length, receiver.received.length], wait).toEqual([6, 3]);
    const mails = mail.mails.map(readMail);
    const hooks = receiver.received.map(({ body }) => JSON.parse(String(body)).notification as Message);
    const streamed: Message[] = [];
    for (let n = 0; n < pairs.length; n++) streamed.push((await stream.next()).data);
    stream.close();
    for (const [type, locale] of pairs) {
      const { title, amount } = EXPECTED[type][locale];
      const mine = ({ userId, type: found }: Message) => userId === users[locale] && found === type;
      const { items } = (await house.api.get(`/v1/notifications/user-${locale}`)).body as { items: Message[] };
      const shown = items.find(mine)!;
      expect(shown.title).toBe(title);
      const { body } = shown;
      expect(body).toContain(locale === 'it' ? 'conducente Nicolò D’Amico' : 'driver Nicolò D’Amico');
      expect(body).toMatch(locale === 'it' ? /2 giu 2026, 12:0[012]:\d\d/ : /2 Jun 2026, 19:0[012]:\d\d/);
      // of the user, otherwise of the rule
      expect(body).toContain(locale === 'it' ? '(Europe/Rome)' : '(Asia/Tokyo)');
      expect(body).toContain(String(shown['place']));
      expect(shown['place']).toMatch(locale === 'it' ? /, Italia$/ : /, Italy$/);
      if (amount === undefined) expect(body).toContain(AREA);
      else expect(body).toContain(amount);
      expect(body).toMatch(/41\.9\d{4}, 12\.5\d{4}/);
      const facts = {
        driver: { id: driverId, name: 'Nicolò D’Amico' },
        geofence: type === 'geofence_enter' ? { id: geofenceId, name: AREA } : null,
        unit: type === 'geofence_enter' ? null : type === 'overspeed' ? 'km/h' : '°C',
      };
      expect(shown).toMatchObject(facts);
      const hook = hooks.filter((each) => each.type === type);
      expect(hook).toHaveLength(1);
      if (mine(hook[0]!)) expect(hook[0]).toMatchObject({ title, body, ...facts });
      expect(streamed.find(mine)).toMatchObject({ title, body, ...facts });
      const text = mails.find(({ to, subject }) => to === `${locale}@example.org` && subject === title)?.text;
      expect(text).toBe(body);
    }
  });
});
