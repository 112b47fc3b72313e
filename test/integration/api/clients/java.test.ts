import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY, type RunningApi, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { needs } from '../../../support/programs.ts';

const generator = needs('openapi-generator');
const maven = needs('mvn');
const root = join(import.meta.dirname, '..', '..', '..', '..');
const MINUTES = 60_000;
const OPTIONS = [
  '-g',
  'java',
  '--library',
  'native',
  '-p',
  'hideGenerationTimestamp=true',
  '--global-property',
  'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false',
];

/** Registers a device, lists devices, and asks for one that does not exist. */
const PROGRAM = `
package org.openapitools.client;

import org.openapitools.client.api.DevicesApi;
import org.openapitools.client.model.PostDevicesRequest;

public class Program {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(args[0]);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + args[1]));
    DevicesApi devices = new DevicesApi(client);
    devices.postDevices(new PostDevicesRequest().imei("java-1"), "one-key");
    // answered as before
    devices.postDevices(new PostDevicesRequest().imei("java-1"), "one-key");
    devices.getDevices(null, 10, null).getItems().forEach(each -> System.out.println(each.getImei()));
    try {
      devices.getDevicesByImei("java-2");
    } catch (ApiException error) {
      System.out.println(error.getCode());
    }
  }
}
`;

describe.skipIf(generator === undefined || maven === undefined)(
  'a Java client that openapi-generator generates',
  () => {
    let folder: string;
    let api: RunningApi;
    beforeAll(async () => {
      folder = realpathSync(mkdtempSync(join(tmpdir(), 'fleetgate-java-client-')));
      api = await withDatabase((url) => startApi(url));
    });
    afterAll(async () => {
      await api?.stop();
      rmSync(folder, { recursive: true, force: true });
      await dropDatabases();
    });

    test(
      'is complete, compiles, and calls the server',
      async () => {
        const document = join(root, 'docs', 'openapi.json');
        const generated = spawnSync(generator!, ['generate', '-i', document, '-o', folder, ...OPTIONS], {
          encoding: 'utf8',
          maxBuffer: 64 * 1024 * 1024,
        });
        expect(generated.status, generated.stderr).toBe(0);
        const source = join(folder, 'src', 'main', 'java', 'org', 'openapitools', 'client');
        mkdirSync(source, { recursive: true });
        writeFileSync(join(source, 'Program.java'), PROGRAM);
        const built = spawnSync(
          maven!,
          ['-q', '-B', 'compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath'],
          {
            encoding: 'utf8',
            cwd: folder,
          },
        );
        expect(built.status, built.stdout.slice(0, 5_000)).toBe(0);
        const classpath = '$(cat classpath):target/classes';
        const program = spawn(
          'sh',
          ['-c', `exec java -cp ${classpath} org.openapitools.client.Program "$0" "$1"`, api.url, API_KEY],
          {
            cwd: folder,
            stdio: ['ignore', 'pipe', 'inherit'],
          },
        );
        let output = '';
        program.stdout.on('data', (chunk) => (output += chunk));
        const [code] = (await once(program, 'close')) as [number];
        expect({ code, output }).toEqual({ code: 0, output: 'java-1\n404\n' });
      },
      10 * MINUTES,
    );
  },
);
