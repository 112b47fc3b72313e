import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What was read, decoded and tested of a protocol, and what other projects say to it. */
export interface Coverage {
  /** documents and versions that it was written from */
  readonly sources: readonly string[];
  /** message types of these documents, and the fixture that shows each; null where it is not decoded */
  readonly messages: Readonly<Record<string, string | null>>;
  readonly frames: number;
  readonly commands: number;
  /** entries of `deviations.json` */
  readonly deviations: number;
  readonly projects: readonly OtherProject[];
}

/** A parser or device of `test/interop/projects.json`. */
interface OtherProject {
  readonly name: string;
  readonly version: string;
  readonly registry: string;
  readonly protocol: string;
  readonly plays: 'parser' | 'device';
  /** reasons for what it reads otherwise */
  readonly wrong: readonly string[];
}

interface Scenario {
  readonly source: string;
  readonly frames?: readonly unknown[];
  readonly commands?: readonly unknown[];
}

function readJson<T>(path: string): T | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : undefined;
}

interface Listed extends Omit<OtherProject, 'plays' | 'wrong'> {
  readonly wrong?: Readonly<Record<string, string>>;
}

/** `npm run interop` runs them. */
export function readProjects(root: string): readonly OtherProject[] {
  const path = join(root, 'test', 'interop', 'projects.json');
  const { readers = [], devices = [] } =
    readJson<{ readonly readers: readonly Listed[]; readonly devices: readonly Listed[] }>(path) ?? {};
  const as =
    (plays: OtherProject['plays']) =>
    (project: Listed): OtherProject => ({ ...project, plays, wrong: [...new Set(Object.values(project.wrong ?? {}))] });
  return [...readers.map(as('parser')), ...devices.map(as('device'))];
}

/** `coverage.json`, where a protocol has it, and what follows from its fixtures and deviations. */
export function readCoverage(
  folder: string,
  scenarios: readonly Scenario[],
  projects: readonly OtherProject[],
): Coverage {
  const listed = readJson<Partial<Pick<Coverage, 'sources' | 'messages'>>>(join(folder, 'coverage.json'));
  const sum = (of: (scenario: Scenario) => number): number => scenarios.reduce((total, one) => total + of(one), 0);
  return {
    sources: listed?.sources ?? sourcesOf(scenarios),
    messages: listed?.messages ?? {},
    frames: sum(({ frames = [] }) => frames.length),
    commands: sum(({ commands = [] }) => commands.length),
    deviations: readJson<readonly unknown[]>(join(folder, 'deviations.json'))?.length ?? 0,
    projects,
  };
}

/** What fixtures name, without the sentence of those that name no document. */
const sourcesOf = (scenarios: readonly Scenario[]): string[] =>
  [...new Set(scenarios.map(({ source }) => source.replace(/\.$/, '')))].filter(
    (source) => !source.startsWith('Worked out from'),
  );
