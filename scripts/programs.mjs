// Programs that some tests require and npm does not install.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The names of each program. */
export const NAMES = {
  'redis-server': ['redis-server', 'valkey-server'],
  mosquitto: ['mosquitto'],
  'rabbitmq-server': ['rabbitmq-server'],
  'nats-server': ['nats-server'],
  kafka: ['kafka-run-class.sh'],
  chromium: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
  schemathesis: ['schemathesis'],
  python: ['python3'],
  curl: ['curl'],
  openssl: ['openssl'],
  'openapi-python-client': ['openapi-python-client'],
  'openapi-spec-validator': ['openapi-spec-validator'],
  'openapi-generator': ['openapi-generator-cli', 'openapi-generator'],
  mvn: ['mvn'],
  promtool: ['promtool'],
  go: ['go'],
  versitygw: ['versitygw'],
  helm: ['helm'],
  kubeconform: ['kubeconform'],
  etcd: ['etcd'],
  patroni: ['patroni'],
  haproxy: ['haproxy'],
  'redis-sentinel': ['redis-sentinel', 'valkey-sentinel'],
  actionlint: ['actionlint'],
  'node-20': ['node-20'],
  'node-22': ['node-22'],
  'node-24': ['node-24'],
  'container-engine': ['docker', 'podman'],
};

/** Large programs that `npm run test:all` may skip. */
export const OPTIONAL = new Set([
  'go',
  'helm',
  'kubeconform',
  'actionlint',
  'versitygw',
  'nats-server',
  'kafka',
  'mvn',
  'openapi-generator',
  'etcd',
  'patroni',
  'haproxy',
  'redis-sentinel',
]);

/** Path of a program, or undefined. */
export function findProgram(program) {
  for (const name of NAMES[program]) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const path = join(folder, name);
      if (!isExecutable(path)) continue;
      // A client is useless without its engine.
      if (program !== 'container-engine' || spawnSync(path, ['info'], { timeout: 20_000 }).status === 0) return path;
    }
  }
  return undefined;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
