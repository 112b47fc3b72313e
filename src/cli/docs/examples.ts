import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Coverage, readCoverage, readProjects } from './coverage.ts';

/** Examples of a protocol's page, from its fixtures and deviations. */
export interface Examples {
  /** file, title, source */
  readonly scenarios: readonly (readonly [string, string, string])[];
  /** types of messages that occur */
  readonly kinds: ReadonlySet<string>;
  /** attribute key → types of its values */
  readonly attributes: ReadonlyMap<string, ReadonlySet<string>>;
  readonly deviations: readonly string[];
  readonly coverage: Coverage;
}

interface Scenario {
  readonly title: string;
  readonly source: string;
  readonly frames?: readonly { readonly messages?: readonly ShownMessage[] }[];
  readonly commands?: readonly unknown[];
}

interface ShownMessage {
  readonly type: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** Reads `fixtures/*.json`, `deviations.json` and `coverage.json` of a protocol's folder. */
export function readExamples(root: string, folder: string): Examples {
  const scenarios: [string, string, string][] = [];
  const kinds = new Set<string>();
  const attributes = new Map<string, Set<string>>();
  const read: Scenario[] = [];
  for (const name of jsonFiles(join(folder, 'fixtures'))) {
    const scenario = JSON.parse(readFileSync(join(folder, 'fixtures', name), 'utf8')) as Scenario;
    read.push(scenario);
    scenarios.push([name, scenario.title, scenario.source]);
    for (const message of scenario.frames?.flatMap((frame) => frame.messages ?? []) ?? []) {
      kinds.add(message.type);
      for (const [key, value] of Object.entries(message.attributes ?? {})) {
        const types = attributes.get(key);
        if (types === undefined) attributes.set(key, new Set([typeof value]));
        else types.add(typeof value);
      }
    }
  }
  const projects = readProjects(root).filter(({ protocol }) => protocol === basename(folder));
  const coverage = readCoverage(folder, read, projects);
  return { scenarios, kinds, attributes, deviations: readDeviations(folder), coverage };
}

const jsonFiles = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .sort()
    : [];

/** `deviations.json`: where this codec follows the vendor's document and a widespread server does not. */
function readDeviations(folder: string): string[] {
  const path = join(folder, 'deviations.json');
  if (!existsSync(path)) return [];
  const entries = JSON.parse(readFileSync(path, 'utf8')) as readonly {
    readonly field: string;
    readonly reason: string;
  }[];
  return [...new Set(entries.map(({ field, reason }) => `\`${field}\`: ${reason}`))];
}
