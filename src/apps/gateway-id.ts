import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';

/** GATEWAY_ID, or the name that was generated once and stored beside the spool: identifies events of this gateway at the API. */
export async function gatewayIdOf({ GATEWAY_ID: given, DATA_DIR: dataDir }: Config): Promise<string> {
  if (given !== undefined) return given;
  const path = join(dataDir, 'gateway-id');
  const known = await readFile(path, 'utf8').catch(() => undefined);
  if (known !== undefined && known.trim() !== '') return known.trim();
  const id = `gw-${randomBytes(6).toString('hex')}`;
  await mkdir(dataDir, { recursive: true });
  await writeFile(path, `${id}\n`);
  return id;
}
