import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, SCOPES } from '../../../src/server/index.ts';
import { type Answer, type RunningApi, startApi } from '../../support/api.ts';
import { type Certificates, makeCertificates } from '../../support/certificates.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

const PASSWORD = 'kestrel-7731';

let certificates: Certificates;
let folder: string;
let api: RunningApi;
const as: Record<string, { authorization: string }> = {};

beforeAll(async () => {
  certificates = makeCertificates();
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-proof-'));
  api = await withDatabase((url) => startApi(url, { autoRegister: false, TLS_CLIENT_CA: certificates.caFile }));
  for (const name of ['acme', 'other']) {
    const tenantId = await api.database.tenantId(name);
    const { key } = await createKey(api.database.ingest, { tenantId, name, scopes: SCOPES });
    as[name] = { authorization: `Bearer ${key}` };
  }
});
afterAll(async () => {
  await api?.stop();
  certificates?.remove();
  rmSync(folder, { recursive: true, force: true });
  await dropDatabases();
});

const register = (tenant: string, imei: string, options = {}): Promise<Answer> =>
  api.send('POST', '/v1/devices', { imei, options }, as[tenant]);
const prove = (tenant: string, imei: string, proof: object): Promise<Answer> =>
  api.send('POST', `/v1/devices/${imei}/proof`, proof, as[tenant]);
const tenantOf = async (imei: string): Promise<unknown> => {
  const claims: { imei: string; holder: { tenant: string } | null }[] = (await api.get('/v1/device-claims')).body.items;
  return claims.find((claim) => claim.imei === imei)?.holder?.tenant;
};

/** Signed by the openssl program, with a certificate of the subject. */
function sign(text: string, subject: string, from = certificates): { certificate: string; signature: string } {
  const { cert, key } = from.device(subject);
  const [keyFile, textFile] = [join(folder, 'key.pem'), join(folder, 'text')];
  writeFileSync(keyFile, key);
  writeFileSync(textFile, text);
  const signature = execFileSync('openssl', ['dgst', '-sha256', '-sign', keyFile, textFile]).toString('base64');
  return { certificate: cert, signature };
}

describe('the password of a device', () => {
  test('assigns it to the tenant that proves the device, and the answer is the same in all cases', async () => {
    await register('acme', 'P-1', { loginPassword: PASSWORD });
    await register('other', 'P-1');
    await register('other', 'P-own');
    const wrong = await prove('other', 'P-1', { password: 'kestrel-7732' });
    const own = await prove('other', 'P-own', { password: 'kestrel-7732' });
    expect(wrong.status).toBe(200);
    expect({ ...own.body, imei: '' }).toEqual({ ...wrong.body, imei: '' });
    expect(await tenantOf('P-1')).toBe('acme');
    const right = await prove('other', 'P-1', { password: PASSWORD });
    expect(right.body).toEqual(wrong.body);
    expect(await tenantOf('P-1')).toBe('other');
    expect((await prove('other', 'nobody', { password: PASSWORD })).body.code).toBe('unknown-device');
  });

  test('that the tenant has given to its own claim proves nothing', async () => {
    await register('acme', 'P-2', { loginPassword: PASSWORD });
    await register('other', 'P-2', { loginPassword: 'invented-1' });
    expect((await prove('other', 'P-2', { password: 'invented-1' })).status).toBe(200);
    expect(await tenantOf('P-2')).toBe('acme');
  });

  test('of fewer than 8 characters, and no password, prove nothing', async () => {
    await register('acme', 'P-3', { loginPassword: '1234' });
    await register('other', 'P-3');
    await prove('other', 'P-3', { password: '1234' });
    expect(await tenantOf('P-3')).toBe('acme');
    expect((await prove('other', 'P-3', { password: '' })).status).toBe(422);
  });

  test('cannot be guessed: five proofs an hour, whether the device is a claim or not', async () => {
    await register('acme', 'P-4', { loginPassword: PASSWORD });
    for (const imei of ['P-4', 'P-5']) {
      await register('other', imei);
      for (let n = 0; n < 5; n++) expect((await prove('other', imei, { password: `guess-${n}` })).status).toBe(200);
      const last = await prove('other', imei, { password: PASSWORD });
      expect({ code: last.body.code, after: last.headers.get('retry-after') }).toEqual({
        code: 'rate-limited',
        after: '3600',
      });
    }
    expect(await tenantOf('P-4')).toBe('acme');
  });

  test('does not prove a claim that the operator has rejected', async () => {
    await register('acme', 'P-6', { loginPassword: PASSWORD });
    await register('other', 'P-6');
    const { items } = (await api.get('/v1/device-claims')).body as { items: { id: string; imei: string }[] };
    await api.send('POST', `/v1/device-claims/${items.find(({ imei }) => imei === 'P-6')!.id}/reject`);
    await prove('other', 'P-6', { password: PASSWORD });
    // the device is still that of the first tenant: it can be changed by it, and no claim of it waits
    expect(await tenantOf('P-6')).toBeUndefined();
  });
});

describe('the certificate of a device', () => {
  const now = (): string => new Date().toISOString();
  const text = (tenant: string, imei: string, at: string): string => `fleetgate-device-proof:${tenant}:${imei}:${at}`;

  test('assigns it to the tenant that the device has signed for', async () => {
    for (const [imei, subject] of [
      ['C-1', '/O=Fleet/CN=C-1'],
      ['C-2', '/CN=tracker/serialNumber=C-2'],
    ] as const) {
      await register('acme', imei);
      await register('other', imei);
      const signedAt = now();
      expect((await prove('other', imei, { ...sign(text('other', imei, signedAt), subject), signedAt })).status).toBe(
        200,
      );
      expect(await tenantOf(imei)).toBe('other');
    }
  });

  test('proves nothing for another tenant, device, time, authority or without its key', async () => {
    await register('acme', 'C-3');
    await register('other', 'C-3');
    const signedAt = now();
    const old = new Date(Date.now() - 400_000).toISOString();
    const foreign = makeCertificates();
    const right = text('other', 'C-3', signedAt);
    const attempts = [
      { ...sign(text('acme', 'C-3', signedAt), '/CN=C-3'), signedAt },
      { ...sign(right, '/CN=C-4'), signedAt },
      { ...sign(text('other', 'C-3', old), '/CN=C-3'), signedAt: old },
      { ...sign(right, '/CN=C-3', foreign), signedAt },
      { ...sign(right, '/CN=C-3'), signature: sign(right, '/CN=C-3').signature, signedAt },
    ];
    foreign.remove();
    const reasons = [];
    for (const attempt of attempts) {
      const { status, body } = await prove('other', 'C-3', attempt);
      expect(status).toBe(422);
      reasons.push(body.detail);
    }
    expect(reasons).toEqual([
      'The signature does not match',
      'The subject of the certificate does not contain the device id',
      'signedAt is more than five minutes from now',
      'The certificate was not issued by an authority of TLS_CLIENT_CA',
      'The signature does not match',
    ]);
    expect(await tenantOf('C-3')).toBe('acme');
  });
});
