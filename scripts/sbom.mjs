import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Writes the software bill of materials (CycloneDX 1.5, JSON) of what runs in production to dist/sbom.cdx.json, or to the
 * file that is given. It is made from package-lock.json, without the network and without installed packages.
 */
const root = join(import.meta.dirname, '..');
const output = resolve(process.argv[2] ?? join(root, 'dist', 'sbom.cdx.json'));
const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const options = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
const text = execFileSync('npm', ['sbom', ...options], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });
const bom = JSON.parse(text);

// `--omit dev` of npm also omits what production and development both need: what production needs is found here
const { name, version, dependencies } = read('package.json');
const { packages } = read('package-lock.json');
const graph = new Map(bom.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
const needed = new Set();
const visit = (ref) => {
  if (needed.has(ref)) return;
  needed.add(ref);
  for (const next of graph.get(ref) ?? []) visit(next);
};
const direct = Object.keys(dependencies).map((each) => `${each}@${packages[`node_modules/${each}`].version}`);
for (const ref of direct) visit(ref);

const own = bom.metadata.component;
// npm names the project by its folder
own.name = name;
bom.components = bom.components.filter((component) => needed.has(component['bom-ref']));
bom.dependencies = [
  { ref: own['bom-ref'], dependsOn: direct },
  ...bom.dependencies.filter(({ ref }) => needed.has(ref) && ref !== own['bom-ref']),
];
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, `${JSON.stringify(bom, null, 2)}\n`);
process.stdout.write(`${output}: ${name} ${version}, ${bom.components.length} components\n`);
