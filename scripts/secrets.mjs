// `node scripts/secrets.mjs [folder]`: makes the secrets that docker-compose.yml names, those that are not there yet.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2] ?? 'secrets';
// Only the owner may enter the folder; in it, the user of a container has to read what is mounted.
mkdirSync(folder, { recursive: true, mode: 0o700 });

function make(name, content) {
  const path = join(folder, name);
  if (!existsSync(path)) {
    writeFileSync(path, `${content()}\n`, { mode: 0o644, flag: 'wx' });
    process.stdout.write(`made ${path}\n`);
  }
  return readFileSync(path, 'utf8').trim();
}

const secret = () => randomBytes(32).toString('hex');
const password = make('postgres_password', secret);
make('database_url', () => `postgresql://fleetgate:${password}@postgres:5432/fleetgate`);
make('internal_key', secret);
make('api_key', secret);
make('metrics_token', secret);
make('admin_password', () => randomBytes(15).toString('base64url'));
