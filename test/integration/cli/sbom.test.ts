import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { afterAll, beforeAll, expect, it } from 'vitest';

interface Bom {
  readonly specVersion: string;
  readonly metadata: { readonly component: { readonly name: string; readonly type: string } };
  readonly components: readonly {
    readonly name: string;
    readonly group?: string;
    readonly version: string;
    readonly purl: string;
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

let folder: string;
let text: string;
let bom: Bom;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-sbom-'));
  const file = join(folder, 'sbom.json');
  execFileSync(process.execPath, ['scripts/sbom.mjs', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, npm_config_offline: 'true' },
  });
  text = readFileSync(file, 'utf8');
  bom = JSON.parse(text) as Bom;
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Locked {
  readonly version?: string;
  readonly dependencies?: Record<string, string>;
}

/** What the dependencies of the project lead to, by the rules of Node for finding packages: path and version. */
function productionPaths(): Map<string, string> {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> };
  const found = new Map<string, string>();
  const visit = (from: string): void => {
    for (const name of Object.keys(packages[from]?.dependencies ?? {})) {
      for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
        const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
        const version = packages[path]?.version;
        if (version === undefined && at !== '') continue;
        if (version !== undefined && !found.has(path)) {
          found.set(path, version);
          visit(path);
        }
        break;
      }
    }
  };
  visit('');
  return found;
}

it('the software bill of materials is valid by the schema of CycloneDX', async () => {
  expect(bom.specVersion).toBe('1.5');
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5);
  expect(await validator.validate(text)).toBeNull();
  expect(await validator.validate(JSON.stringify({ ...bom, components: [{ type: 'nothing' }] }))).not.toBeNull();
});

it('it contains every production dependency in its locked version, and nothing for development', () => {
  const listed = new Set(bom.components.map(({ purl }) => decodeURIComponent(purl.split('?', 1)[0]!)));
  const production = productionPaths();
  expect(production.size).toBeGreaterThan(100);
  for (const [path, version] of production) {
    expect(listed).toContain(`pkg:npm/${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`);
  }
  expect([...listed].filter((purl) => purl.startsWith('pkg:npm/vitest@'))).toEqual([]);
  expect(bom.metadata.component).toMatchObject({ name: 'fleetgate', type: 'application' });
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
  const root = bom.dependencies.find(({ ref }) => ref.startsWith('fleetgate@'))!;
  expect(root.dependsOn).toHaveLength(Object.keys(dependencies).length);
});

it.each([
  [['--help'], 0, 'stdout'],
  [['--output', 'sbom.json'], 2, 'stderr'],
  [['a.json', 'b.json'], 2, 'stderr'],
] as const)('of the arguments %j writes the usage text and no file', (args, status, stream) => {
  const script = join(import.meta.dirname, '..', '..', '..', 'scripts', 'sbom.mjs');
  const run = spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' });
  expect(run.status).toBe(status);
  expect(run[stream]).toContain('usage: npm run sbom [-- file]');
  expect(readdirSync(folder)).toEqual(['sbom.json']);
});
