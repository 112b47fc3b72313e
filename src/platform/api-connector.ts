import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { buildConnector } from 'undici';

export interface ApiTrust {
  /** the setting API_CA */
  readonly caFile: string | undefined;
  /** the setting API_SERVER_NAME */
  readonly serverName: string | undefined;
}

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Opens the connections of a gateway to the API. The file of authorities is read for each connection, so that it can be
 * replaced; a certificate in it is trusted directly, regardless of its issuer.
 */
export function apiConnector({ caFile, serverName }: ApiTrust, timeout = CONNECT_TIMEOUT_MS): buildConnector.connector {
  return (options, callback) => {
    let connect: buildConnector.connector;
    try {
      connect = buildConnector({
        timeout,
        allowH2: false,
        minVersion: 'TLSv1.2',
        ...(caFile === undefined ? {} : { ca: readFileSync(caFile), allowPartialTrustChain: true }),
        ...(serverName === undefined
          ? {}
          : { checkServerIdentity: (_host, certificate) => checkServerIdentity(serverName, certificate) }),
      });
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    const isName = serverName !== undefined && isIP(serverName) === 0;
    connect({ ...options, ...(isName ? { servername: serverName } : {}) }, callback);
  };
}
