import type { StreamTarget } from '../message.ts';
import { credentialsOf } from '../tls.ts';

/** default of unacknowledged records per connection */
export const IN_FLIGHT = 20;
/** default of open device connections; without an open connection a device logs in for each record */
export const CONNECTIONS = 1_000;

export interface TargetProblem {
  readonly pointer: string;
  readonly detail: string;
}

const NO_PORT = { pointer: '/url', detail: 'must have a port: the protocol has no default' };

export function problemsOfWialon({ url, options }: StreamTarget): TargetProblem[] {
  const target = new URL(url);
  const { username, password = '' } = credentialsOf(target, options);
  const problems = target.port === '' ? [NO_PORT] : [];
  if (username !== undefined) problems.push({ pointer: '/url', detail: 'must not have a user name' });
  if (/[;#\r\n]/.test(password)) problems.push({ pointer: '/options/password', detail: 'must not contain ; or #' });
  if (options['protocol'] === 'retranslator' && password !== '') {
    problems.push({ pointer: '/options/password', detail: 'Wialon Retranslator has no password' });
  }
  return problems;
}

export function problemsOfEgts({ url, options }: StreamTarget): TargetProblem[] {
  const target = new URL(url);
  const { username, password } = credentialsOf(target, options);
  const problems = target.port === '' ? [NO_PORT] : [];
  if (username !== undefined || password !== undefined) {
    problems.push({ pointer: '/url', detail: 'must not have a user name or password' });
  }
  if (options['identity'] === 'dispatcher' && options['dispatcherId'] === undefined) {
    problems.push({ pointer: '/options/dispatcherId', detail: 'required with the identity of a dispatcher' });
  }
  return problems;
}
