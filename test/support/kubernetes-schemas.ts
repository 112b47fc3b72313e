import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The release whose definitions the chart is checked against. */
const KUBERNETES = 'k8s.io/kubernetes@v1.33.4';

interface Definition {
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
}

/** Types that are written as text or number, and described as one of them. */
const LOOSE: Readonly<Record<string, object>> = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { oneOf: [{ type: 'string' }, { type: 'integer' }] },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { oneOf: [{ type: 'string' }, { type: 'number' }] },
};

/** Writes the JSON Schemas of Kubernetes, from its own OpenAPI document, into a folder; the names are those of kubeconform. */
export function writeKubernetesSchemas(go: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const { Dir: sources } = JSON.parse(
    execFileSync(go, ['mod', 'download', '-json', KUBERNETES], { cwd: folder, encoding: 'utf8' }),
  ) as { Dir: string };
  const text = readFileSync(join(sources, 'api', 'openapi-spec', 'swagger.json'), 'utf8');
  const { definitions } = JSON.parse(text.replaceAll('"#/definitions/', '"_definitions.json#/definitions/')) as {
    definitions: Record<string, Definition>;
  };
  writeFileSync(join(folder, '_definitions.json'), JSON.stringify({ definitions: { ...definitions, ...LOOSE } }));
  for (const [name, definition] of Object.entries(definitions)) {
    for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? []) {
      const suffix = group === '' ? version : `${group.split('.')[0]}-${version}`;
      const schema = { $ref: `_definitions.json#/definitions/${name}` };
      writeFileSync(join(folder, `${kind.toLowerCase()}-${suffix}.json`), JSON.stringify(schema));
    }
  }
  return folder;
}
