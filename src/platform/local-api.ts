import { readFileSync } from 'node:fs';
import type { ApiTrust } from './api-connector.ts';
import { nameOfCertificate } from './certificate-files.ts';

export interface LocalApiSettings {
  readonly HOST: string;
  readonly PORT: number;
  readonly API_TLS_CERT?: string | undefined;
}

/** An address that a client on this machine can connect to, for one that a server listens on. */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** URL of the API that runs on this machine with these settings. */
export const localApiUrl = ({ HOST, PORT, API_TLS_CERT }: LocalApiSettings, port = PORT): string =>
  `${API_TLS_CERT === undefined ? 'http' : 'https'}://${reachable(HOST)}:${port}`;

/** A client on this machine trusts the certificate of the API and no other. */
export function localApiTrust({ HOST, API_TLS_CERT: caFile }: LocalApiSettings): ApiTrust {
  const serverName =
    caFile === undefined ? undefined : nameOfCertificate(readFileSync(caFile, 'utf8'), reachable(HOST));
  return { caFile, serverName };
}
