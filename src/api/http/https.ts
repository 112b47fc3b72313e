import type { Server as HttpServer } from 'node:http';
import type { ServerOptions } from 'node:https';
import { createSecureContext, type SecureContext, type Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import {
  type CertificateFiles,
  type CertificatePair,
  readCertificate,
  watchCertificate,
} from '../../platform/certificate-files.ts';
import type { Log } from '../../platform/log.ts';

/** RFC 6797: a year, the least that the preload lists of browsers take */
const HSTS = 'max-age=31536000; includeSubDomains';
const VERSIONS = { minVersion: 'TLSv1.2' } as const;

export interface Https {
  /** of the server */
  readonly options: ServerOptions;
  /** Uses replaced certificates for connections that begin from then on, until `app` is closed. */
  follow(app: FastifyInstance, log: Log): void;
}

/**
 * A client that does not end its handshake holds a connection: it has as long as for the head of a request.
 * @throws where the certificate or its key cannot be used
 */
export function createHttps(files: CertificateFiles, options: ServerOptions & { headersTimeout: number }): Https {
  const pair = readCertificate(files);
  let context = contextOf(pair);
  return {
    options: {
      ...options,
      ...pair,
      ...VERSIONS,
      handshakeTimeout: options.headersTimeout,
      // also on the further addresses of a name such as localhost, each of which has a server of its own
      SNICallback: (_name, found) => found(null, context),
    },
    follow(app, log) {
      const watch = watchCertificate({
        files,
        inUse: pair,
        log,
        onChange(next) {
          context = contextOf(next);
          (app.server as HttpServer as unknown as TlsServer).setSecureContext({ ...next, ...VERSIONS });
        },
      });
      app.addHook('onClose', () => watch.stop());
    },
  };
}

const contextOf = ({ cert, key }: CertificatePair): SecureContext => createSecureContext({ cert, key, ...VERSIONS });

/** Browsers that have seen the site over HTTPS use nothing else. */
export function addStrictTransport(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.protocol === 'https') reply.header('strict-transport-security', HSTS);
    done(null, payload);
  });
}
