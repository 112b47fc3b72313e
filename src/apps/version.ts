import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of package.json, which stands above the sources and above what is built from them. */
export const VERSION = readVersion(import.meta.dirname);

function readVersion(folder: string): string {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return readVersion(join(folder, '..'));
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
