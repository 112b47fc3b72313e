import type { ServerOptions } from 'node:https';
import { createSecureContext, type SecureContext, Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import {
  type CertificateFiles,
  type CertificatePair,
  readCertificate,
  watchCertificate,
} from '../../../platform/certificate-files.ts';
import type { Log } from '../../../platform/log.ts';

/** RFC 6797: one year, the minimum for browser preload lists */
const HSTS = 'max-age=31536000; includeSubDomains';
const VERSIONS = { minVersion: 'TLSv1.2' } as const;

export interface Https {
  /** options of the HTTPS server */
  readonly options: ServerOptions;
  /** Reloads replaced certificates for new connections, until `app` is closed. */
  follow(app: FastifyInstance, log: Log): void;
}

/**
 * The handshake timeout is that of request headers, since a client that does not finish it occupies a connection.
 * @throws if the certificate or its key cannot be used
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
      // SNICallback also serves the additional servers that Fastify creates for each address of localhost
      SNICallback: (_name, found) => found(null, context),
    },
    follow(app, log) {
      const watch = watchCertificate({
        files,
        inUse: pair,
        log,
        onChange(next) {
          context = contextOf(next);
          if (app.server instanceof TlsServer) app.server.setSecureContext({ ...next, ...VERSIONS });
        },
      });
      app.addHook('onClose', () => watch.stop());
    },
  };
}

const contextOf = ({ cert, key }: CertificatePair): SecureContext => createSecureContext({ cert, key, ...VERSIONS });

/** Adds Strict-Transport-Security. */
export function addStrictTransport(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.protocol === 'https') reply.header('strict-transport-security', HSTS);
    done(null, payload);
  });
}
