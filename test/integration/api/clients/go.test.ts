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
const go = needs('go');
const root = join(import.meta.dirname, '..', '..', '..', '..');
const MINUTES = 60_000;
const OPTIONS = [
  '-g',
  'go',
  '-p',
  'packageName=fleetgate',
  '--git-user-id',
  'fleetgate',
  '--git-repo-id',
  'client',
  '--global-property',
  'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false',
];

/** Registers a device twice with one key, lists devices, and asks for one that does not exist. */
const PROGRAM = `
package main

import (
	"context"
	"fmt"
	"os"

	client "github.com/fleetgate/client"
)

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Args[1]}}
	ctx := context.WithValue(context.Background(), client.ContextAccessToken, os.Args[2])
	devices := client.NewAPIClient(configuration).DevicesAPI
	for range 2 {
		body := *client.NewPostDevicesRequest("go-1")
		_, response, err := devices.PostDevices(ctx).PostDevicesRequest(body).IdempotencyKey("one-key").Execute()
		if err != nil {
			panic(err)
		}
		fmt.Println(response.StatusCode, response.Header.Get("Idempotency-Replayed"))
	}
	list, _, err := devices.GetDevices(ctx).Limit(10).Execute()
	if err != nil {
		panic(err)
	}
	for _, each := range list.Items {
		fmt.Println(each.Imei)
	}
	_, response, err := devices.GetDevicesByImei(ctx, "go-2").Execute()
	problem, isProblem := err.(*client.GenericOpenAPIError).Model().(client.Problem)
	fmt.Println(response.StatusCode, isProblem, problem.Code)
}
`;

describe.skipIf(generator === undefined || go === undefined)('a Go client that openapi-generator generates', () => {
  let folder: string;
  let api: RunningApi;
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'fleetgate-go-client-')));
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
      const limits = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
      const generated = spawnSync(generator!, ['generate', '-i', document, '-o', folder, ...OPTIONS], limits);
      expect(generated.status, generated.stderr).toBe(0);
      mkdirSync(join(folder, 'program'));
      writeFileSync(join(folder, 'program', 'main.go'), PROGRAM);
      // not optimized: it is compiled whole, in half the time
      const built = spawnSync(go!, ['build', '-gcflags=-N -l', '-o', 'calls', './program'], {
        ...limits,
        cwd: folder,
      });
      expect(built.status, built.stderr.slice(0, 5_000)).toBe(0);
      const program = spawn(join(folder, 'calls'), [api.url, API_KEY], { stdio: ['ignore', 'pipe', 'inherit'] });
      let output = '';
      program.stdout.on('data', (chunk) => (output += chunk));
      const [code] = (await once(program, 'close')) as [number];
      expect({ code, output }).toEqual({ code: 0, output: '200 \n200 true\ngo-1\n404 true unknown-device\n' });
    },
    15 * MINUTES,
  );
});
