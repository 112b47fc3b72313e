export type Program =
  | 'redis-server'
  | 'mosquitto'
  | 'rabbitmq-server'
  | 'nats-server'
  | 'kafka'
  | 'chromium'
  | 'schemathesis'
  | 'python'
  | 'curl'
  | 'openssl'
  | 'openapi-python-client'
  | 'openapi-spec-validator'
  | 'openapi-generator'
  | 'mvn'
  | 'promtool'
  | 'go'
  | 'helm'
  | 'kubeconform'
  | 'versitygw'
  | 'actionlint'
  | 'node-20'
  | 'node-22'
  | 'node-24'
  | 'container-engine';
export const NAMES: Readonly<Record<Program, readonly string[]>>;
export const OPTIONAL: ReadonlySet<Program>;
export function findProgram(program: Program): string | undefined;
