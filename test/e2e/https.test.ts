import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Certificates, makeCertificates } from '../support/certificates.ts';
import { runCommand } from '../support/command-line.ts';
import { type System, startSystem } from '../support/system.ts';
import { expectAllStored, Trackers } from '../support/trackers.ts';

let certificates: Certificates;
let folder: string;
let system: System;
const at = (name: string): string => join(folder, name);

function use({ cert, key }: { readonly cert: string; readonly key: string }): void {
  copyFileSync(cert, at('tls.crt'));
  copyFileSync(key, at('tls.key'));
}

beforeAll(async () => {
  certificates = makeCertificates();
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-https-'));
  use(certificates.server);
  system = await startSystem({ API_TLS_CERT: at('tls.crt'), API_TLS_KEY: at('tls.key') });
});
afterAll(async () => {
  await system.stop();
  certificates.remove();
  rmSync(folder, { recursive: true });
});

it('the probe calls the API at HOST and PORT, and trusts its certificate', async () => {
  const { code, stdout, stderr } = await runCommand(['probe', '--once'], {
    PORT: String(system.apiPort),
    API_TLS_CERT: at('tls.crt'),
    API_TLS_KEY: at('tls.key'),
    API_KEY: system.key,
    AUTO_PORT: String(system.devicePort),
  });
  expect(code, stdout + stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ ok: true });
});

it('a gateway pushes to the API beside it over HTTPS, also after the certificate was replaced', async () => {
  const trackers = await Trackers.start(system, 1, 1);
  try {
    await trackers.progress(2);
    // the gateway that starts next trusts the new certificate alone, which the API presents within seconds
    use(certificates.another());
    system.kill('gateway');
    await trackers.progress(2);
    await trackers.settle();
    await expectAllStored(system, trackers);
  } finally {
    trackers.stop();
  }
});
