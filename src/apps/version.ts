import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** From package.json, which is above both the sources and the build. */
export const VERSION = readVersion(import.meta.dirname);

function readVersion(folder: string): string {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return readVersion(join(folder, '..'));
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
