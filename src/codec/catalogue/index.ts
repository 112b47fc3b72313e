import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Protocol, StreamProtocol } from '#codec';
import { httpAsStream } from '#codec/http';
import { checkProtocol } from './check.ts';

/** Every protocol of `protocols/`, checked; by id, by service, by what people call it. */
export interface Catalogue {
  readonly protocols: readonly Protocol[];
  /** the same, as they are spoken over a stream */
  readonly streams: readonly StreamProtocol[];
  byId(id: string): Protocol | undefined;
  /** the codecs that share a port */
  byService(service: string): readonly Protocol[];
  /** a codec's or a service's name */
  named(name: string): readonly Protocol[];
  readonly services: readonly Service[];
}

export interface Service {
  readonly name: string;
  /** default port */
  readonly port: number;
  readonly protocols: readonly Protocol[];
}

const here = fileURLToPath(import.meta.url);
/** Sources and build have the same layout, so the folder is found from this file. */
const folder = join(dirname(here), '..', '..', '..', 'protocols');
const entry = here.endsWith('.ts') ? 'index.ts' : 'index.js';

/** Loads and checks every folder of `protocols/`. Throws with all that is wrong with them. */
export async function loadCatalogue(): Promise<Catalogue> {
  const names = (await readdir(folder, { withFileTypes: true })).filter((e) => e.isDirectory()).map((e) => e.name);
  const protocols = await Promise.all(
    names.sort().map(async (name) => {
      const module = (await import(pathToFileURL(join(folder, name, entry)).href)) as { default?: Protocol };
      return { name, protocol: module.default };
    }),
  );
  const problems = protocols.flatMap(({ name, protocol }) => checkProtocol(name, protocol));
  if (problems.length > 0) throw new Error(`protocols/ is not in order:\n${problems.map((p) => `  ${p}`).join('\n')}`);
  return createCatalogue(protocols.map(({ protocol }) => protocol as Protocol));
}

export function createCatalogue(protocols: readonly Protocol[]): Catalogue {
  const ids = new Map(protocols.map((p) => [p.id, p]));
  const services = new Map<string, Protocol[]>();
  for (const protocol of protocols) {
    const members = services.get(protocol.service);
    if (members === undefined) services.set(protocol.service, [protocol]);
    else members.push(protocol);
  }
  const byService = (service: string) => services.get(service) ?? [];
  return {
    protocols,
    streams: protocols.map(httpAsStream),
    byId: (id) => ids.get(id),
    byService,
    named: (name) => {
      const exact = ids.get(name);
      return exact === undefined ? byService(name) : [exact];
    },
    services: [...services].map(([name, members]) => ({ name, port: members[0]!.port, protocols: members })),
  };
}
