import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOTP } from 'otpauth';
import { untilAnalysed } from './analysed.ts';
import { assertion, type RunningApi } from './api.ts';
import { demandDocumented } from './documented.ts';
import { packedPosition, spoolBody } from './spool-records.ts';
import { cardFile, datesFrom, dayOf, longDay, ordinary, secondsOf } from './tachograph.ts';

interface Operation {
  readonly operationId: string;
  readonly security?: readonly { readonly bearer: readonly string[] }[];
  readonly parameters?: readonly { name: string; in: string; required?: boolean; example?: unknown }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export const readDocument = (): ApiDocument =>
  JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'openapi.json'), 'utf8')) as ApiDocument;

/** One request of the document, with the values of a running installation in place of those of the examples. */
export interface ExampleCall {
  readonly name: string;
  readonly operationId: string;
  readonly method: string;
  readonly template: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly token: string | undefined;
  readonly mediaType: string | undefined;
  /** JSON, text, or `{base64}` of the bytes of a file */
  readonly body: unknown;
  /** held answers, which do not end */
  readonly isStream: boolean;
}

export interface ExampleAnswer {
  readonly status: number;
  readonly text: string;
}

/** What the examples name, made before the requests that refer to it. */
const FIRST = [
  'POST /v1/groups',
  'POST /v1/vehicles',
  'POST /v1/geofences',
  'POST /v1/maintenance',
  'POST /v1/users',
  'POST /v1/auth/credentials',
  'POST /v1/devices',
  'POST /v1/drivers',
  'POST /v1/expenses',
  'POST /v1/pairings',
  'POST /v1/positions',
  'POST /v1/tenants',
  'POST /v1/keys',
  'POST /v1/drivers/ddd',
  'POST /v1/drivers/ddd/bind',
  'GET /v1/drivers/ddd/infringements',
  // a letter has the sender of the settings
  'PUT /v1/drivers/ddd/settings',
  'POST /v1/drivers/ddd/letters',
  'POST /v1/drivers/ddd/corrections',
  'POST /v1/drivers/ddd/transports',
  'PUT /v1/drivers/ddd/remote',
  'POST /v1/drivers/ddd/attestations',
  'POST /v1/drivers/ddd/absences',
  'POST /v1/gprsCommands/',
  'PUT /v1/{version}/notifications',
  'POST /v1/app/push',
  'POST /v1/webhooks',
  'POST /v1/report-schedules',
  'POST /v1/report-schedules/{id}/run',
  'POST /v1/streams',
  'POST /v1/users/me/otp',
  'POST /v1/users/me/otp/confirm',
  'DELETE /v1/users/me/otp',
];
/** What ends sessions comes last, and what other records refer to is removed after them. */
const LAST = [
  'DELETE /v1/users/{user_id}/otp',
  'PATCH /v1/pairings/{id}',
  'PUT /v1/users/me/password',
  'POST /v1/auth/revoke',
  'DELETE /v1/pairings/{id}',
  'DELETE /v1/drivers/{id}/personal_data',
  'DELETE /v1/drivers/{id}',
  'DELETE /v1/users/{user_id}',
  'DELETE /v1/devices/{imei}',
  'DELETE /v1/vehicles/{targa}',
];
/** What a request needs again, since another one has removed it. */
const AGAIN: Readonly<Record<string, readonly string[]>> = {
  // another one, which can be ended
  'GET /v1/auth/sessions': ['POST /v1/app/auth'],
  'DELETE /v1/notifications': ['PUT /v1/{version}/notifications'],
  'DELETE /v1/users/{user_id}/otp': ['POST /v1/users/me/otp', 'POST /v1/users/me/otp/confirm'],
};
/** Answers name what the examples call by these. */
const NAMED: Readonly<Record<string, readonly (readonly [example: string, member: string])[]>> = {
  'POST /v1/groups': [['grp_0a1b2c3d4e5f6a7b8c', 'id']],
  'POST /v1/geofences': [['geo_0a1b2c3d4e5f6a7b8c', 'id']],
  'POST /v1/maintenance': [['mnt_0a1b2c3d4e5f6a7b8c', 'id']],
  'POST /v1/users': [['usr_0a1b2c3d4e5f6a7b8c', 'id']],
  'POST /v1/drivers': [['drv_0a1b2c3d4e5f6a7b8c', 'id']],
  'POST /v1/expenses': [['exp_0a1b2c3d4e5f6a7b8c', 'id']],
  'POST /v1/pairings': [['4712', 'id']],
  'POST /v1/keys': [
    ['flt_live_f9e8d7c6b5a4_k3Jx9QmZp1sT7vW2yB4nC6dF8gH0jL5rA3eU9iO1qXw', 'key'],
    ['f9e8d7c6b5a4', 'id'],
  ],
  'POST /v1/auth/credentials': [['rft_Qm9uam91cg', 'refreshToken']],
  'GET /v1/auth/sessions': [['ses_0a1b2c3d4e5f6a7b8c9d0e1f', 'id']],
  'POST /v1/auth/refresh': [['rft_Qm9uam91cg', 'refreshToken']],
  'POST /v1/drivers/ddd': [['ddd_00019f0a1b2c0a1b2c3d4e5f', 'fileId']],
  'GET /v1/drivers/ddd/infringements': [['4711', 'id']],
  'POST /v1/drivers/ddd/letters': [['ltr_00019f0a1b2c0a1b2c3d', 'id']],
  'POST /v1/drivers/ddd/attestations': [['att_00019f0a1b2c0a1b2c3d', 'id']],
  'POST /v1/drivers/ddd/absences': [['abs_00019f0a1b2c0a1b2c3d', 'id']],
  'POST /v1/drivers/ddd/corrections': [['cor_00019f0a1b2c0a1b2c3d', 'id']],
  'POST /v1/drivers/ddd/transports': [['trp_00019f0a1b2c0a1b2c3d', 'id']],
  'PUT /v1/drivers/ddd/remote': [['rds_00019f0a1b2c0a1b2c3d', 'id']],
  'POST /v1/gprsCommands/': [['cmd_01j8x2m4', 'commandId']],
  'POST /v1/app/push': [['pus_0a1b2c3d4e5f6a7b8c', 'id']],
  'POST /v1/webhooks': [['4714', 'id']],
  'POST /v1/report-schedules': [['rps_00019f0a1b2c0a1b2c3d4e5f', 'id']],
  'POST /v1/report-schedules/{id}/run': [['rpr_00019f0a1b2c0a1b2c3d4e5f', 'id']],
  'POST /v1/streams': [['str_0a1b2c3d4e5f6a7b8c', 'id']],
};
/** Parameters of which one is needed, though none is required by itself. */
const ONE_OF: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  'GET /v1/gprsCommands/types': { imei: '356307042441013' },
  'GET /v1/vehicles/near': { latitude: 45.4642, longitude: 9.19 },
};
type Named = Readonly<Record<string, string>>;
const STREAMS = ['GET /v1/events', 'GET /v1/internal/downlink'];
const ME = /^\/v1\/(users\/me|auth\/sessions|app\/(me|ME|alert|push))/;

const rank = (name: string): number => {
  const [first, last] = [FIRST.indexOf(name), LAST.indexOf(name)];
  if (first >= 0) return first - 1_000;
  if (last >= 0) return last + 1_000;
  return name.startsWith('DELETE') ? 500 : 0;
};

/** What a new installation refuses: status and error code. */
const REFUSED: Readonly<Record<string, readonly [status: number, code: string]>> = {
  // its purpose is the answer
  'POST /v1/cacca_merda': [418, 'probe'],
  'POST /v1/diagnostics/problem': [418, 'probe'],
  // the token is sent by mail
  'PUT /v1/app/recovery_mode': [400, 'invalid-or-expired-token'],
  // the file of the examples is stored in its request
  'GET /v1/drivers/ddd/uploads/{id}': [404, 'unknown-upload'],
  // the file of the examples is validly signed
  'PUT /v1/drivers/ddd/files/{id}/admission': [409, 'signature-not-invalid'],
  // the day of the example is over
  'POST /v1/share-links': [422, 'from-after-to'],
  'DELETE /v1/share-links/{id}': [404, 'unknown-share-link'],
  'POST /v1/shared': [404, 'unknown-share-link'],
  // the file of the examples is of a card
  'POST /v1/vehicles/ddd/unit_file': [404, 'no-data'],
  'POST /v1/vehicles/ddd/mileage_file': [404, 'no-data'],
  // no two tenants have registered the same device
  'POST /v1/device-claims/{id}/accept': [404, 'unknown-claim'],
  'POST /v1/device-claims/{id}/reject': [404, 'unknown-claim'],
  // no gateway of this name has connected
  'GET /v1/gateways/{gateway}/set-aside-records/{id}': [404, 'unknown-set-aside-record'],
  'POST /v1/gateways/{gateway}/set-aside-records/{id}/replay': [404, 'unknown-set-aside-record'],
  'DELETE /v1/gateways/{gateway}/set-aside-records/{id}': [404, 'unknown-set-aside-record'],
  // no rule has notified anybody yet
  'POST /v1/app/alert/{id}/ack': [404, 'unknown-notification'],
};

/**
 * Requests every operation of the document as its example says; those that create something come first. Returns the
 * answers that are not the documented success.
 */
export async function requestExamples(
  api: RunningApi,
  key: string,
  send: (call: ExampleCall) => Promise<ExampleAnswer>,
): Promise<string[]> {
  const unexpected: string[] = [];
  const actual = new Map<string, string>();
  const session = { token: '', otp: '', codes: 0 };
  const operations = Object.entries(readDocument().paths)
    .flatMap(([template, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const name = `${method.toUpperCase()} ${template}`;
        return { name, method: method.toUpperCase(), template, operation };
      }),
    )
    .sort((a, b) => rank(a.name) - rank(b.name));
  const named = (name: string) => operations.find((each) => each.name === name)!;
  const steps = operations.flatMap((step) => [...(AGAIN[step.name] ?? []).map(named), step]);
  for (const { name, method, template, operation } of steps) {
    const replace = <T>(value: T): T => {
      let text = JSON.stringify(value);
      for (const [example, real] of actual) text = text.replaceAll(example, real);
      if (session.otp !== '' && text.includes('287082')) {
        text = text.replaceAll('287082', oneTimePassword(session.otp, session.codes++));
      }
      return JSON.parse(text) as T;
    };
    const place = (where: string): Record<string, unknown> =>
      Object.fromEntries(
        (operation.parameters ?? [])
          .filter((each) => each.in === where && (where === 'path' || each.required === true))
          .map((each) => [each.name, replace(each.example)]),
      );
    const [mediaType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
    const call: ExampleCall = {
      name,
      operationId: operation.operationId,
      method,
      template,
      pathParameters: place('path') as Record<string, string>,
      query: { ...place('query'), ...ONE_OF[name] },
      token: await tokenFor(api, key, template, operation, session.token),
      mediaType,
      body: await bodyOf(name, content?.example === undefined ? undefined : replace(content.example)),
      isStream: STREAMS.includes(name),
    };
    const answer = await send(call);
    const [wanted, code] = REFUSED[name] ?? [200, ''];
    if (answer.status !== wanted || !answer.text.includes(code)) {
      unexpected.push(`${name}: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
    if (answer.status !== 200) continue;
    const parsed = answer.text.startsWith('{') ? (JSON.parse(answer.text) as Named & { items?: Named[] }) : {};
    const json = parsed.items?.[0] ?? (parsed as Named);
    for (const [example, member] of NAMED[name] ?? []) actual.set(example, String(json[member]));
    if (name === 'POST /v1/auth/credentials') session.token = json['accessToken']!;
    if (name === 'POST /v1/users/me/otp') Object.assign(session, { otp: json['secret'], codes: 0 });
    if (name === 'POST /v1/drivers/ddd') await untilAnalysed(api, json['fileId']!);
  }
  return unexpected;
}

/** A code is accepted once: the second request sends that of the next period. */
const oneTimePassword = (secret: string, used: number): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + used * 30_000 });

async function tokenFor(
  api: RunningApi,
  key: string,
  template: string,
  { security = [] }: Operation,
  userToken: string,
): Promise<string | undefined> {
  const scopes = security[0]?.bearer;
  if (scopes === undefined) return undefined;
  if (scopes.includes('internal')) return (await api.gateway()).authorization.slice('Bearer '.length);
  return ME.test(template) ? userToken : key;
}

async function bodyOf(name: string, example: unknown): Promise<unknown> {
  if (name === 'POST /v1/auth/internal') return { service: 'gateway', assertion: await assertion('gw-1') };
  if (name === 'POST /v1/internal/presence') return { clock: Date.now(), connections: [] };
  if (name === 'POST /v1/internal/events') return base64(spoolBody([packedPosition(1, '356307042441013', 1)]));
  if (name === 'POST /v1/drivers/ddd') return base64(card());
  return example;
}

const base64 = (bytes: Uint8Array) => ({ base64: Buffer.from(bytes).toString('base64') });
const bytesOf = (body: unknown): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from((body as { base64: string }).base64, 'base64'));
const card = (): Uint8Array =>
  cardFile({
    days: datesFrom('2026-05-01', 28).map((date) => dayOf(date, date === '2026-05-12' ? longDay : ordinary, 400)),
    lastDownload: secondsOf('2026-05-29T20:00:00Z'),
  });

export function urlOf({ template, pathParameters, query }: ExampleCall): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(pathParameters[name]!));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, String(each)] as [string, string]),
  );
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}

/** Sends the request without a generated client, and validates the answer. */
export async function sendPlain(
  url: string,
  call: ExampleCall,
  further: Readonly<Record<string, string>> = {},
): Promise<ExampleAnswer & { readonly headers: Headers }> {
  const headers: Record<string, string> = { ...further };
  if (call.token !== undefined) headers['authorization'] = `Bearer ${call.token}`;
  const body = payloadOf(call);
  if (call.mediaType !== undefined && !(body instanceof FormData)) headers['content-type'] = call.mediaType;
  const closing = new AbortController();
  const { method, template } = call;
  const response = await fetch(url + urlOf(call), { method, headers, body, signal: closing.signal });
  const text = call.isStream ? '' : await response.text();
  if (call.isStream) closing.abort();
  const contentType = response.headers.get('content-type') ?? '';
  const isJson = /[/+]json/.test(contentType);
  demandDocumented({
    method,
    url: urlOf(call),
    status: response.status,
    contentType,
    body: isJson ? JSON.parse(text) : text,
  });
  if (response.status === 200 && contentType === '') throw new Error(`${method} ${template} answered without a body`);
  return { status: response.status, text, headers: response.headers };
}

export function payloadOf({ mediaType, body }: ExampleCall): string | Uint8Array<ArrayBuffer> | FormData | null {
  if (mediaType === undefined) return null;
  if (mediaType === 'application/json') return JSON.stringify(body);
  if (mediaType !== 'multipart/form-data') {
    return typeof body === 'string' ? body : bytesOf(body);
  }
  const form = new FormData();
  form.append('file', new Blob([bytesOf(body)]), 'card.ddd');
  return form;
}
