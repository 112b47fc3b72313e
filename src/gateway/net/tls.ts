import type { TLSSocket, TlsOptions, Server as TlsServer } from 'node:tls';
import {
  type CertificatePair,
  type CertificateWatch,
  readCertificate,
  watchCertificate,
} from '../../platform/certificate-files.ts';
import type { Log } from '../../platform/log.ts';

export interface TlsSettings {
  /** files in PEM */
  readonly cert: string;
  readonly key: string;
  /** connections without TLS are closed, and no UDP port opens */
  readonly required?: boolean;
  /** file with the authorities of the devices' certificates; with it every TLS connection needs one */
  readonly clientCa?: string | undefined;
  /** ms between two checks of the files */
  readonly checkEveryMs?: number;
}

/** The certificate of the device ports, in use by all of their TLS servers. */
export class DeviceCertificate {
  readonly settings: TlsSettings;
  readonly #servers = new Set<TlsServer>();
  readonly #watch: CertificateWatch;
  #pair: CertificatePair;

  /** @throws if the files cannot be used */
  constructor(settings: TlsSettings, log: Log) {
    this.settings = settings;
    const { cert, key, clientCa: ca, checkEveryMs } = settings;
    const files = { cert, key, ca };
    this.#pair = readCertificate(files);
    this.#watch = watchCertificate({
      files,
      inUse: this.#pair,
      log,
      ...(checkEveryMs === undefined ? {} : { everyMs: checkEveryMs }),
      onChange: (pair) => {
        this.#pair = pair;
        // open connections keep the certificate of their handshake
        for (const server of this.#servers) server.setSecureContext(pair);
      },
    });
  }

  options(handshakeTimeout: number): TlsOptions {
    const verified = this.#pair.ca === undefined ? {} : { requestCert: true, rejectUnauthorized: true };
    return { ...this.#pair, ...verified, handshakeTimeout };
  }

  /** The server uses replaced certificates. */
  follow(server: TlsServer): void {
    this.#servers.add(server);
  }

  stop(): Promise<void> {
    return this.#watch.stop();
  }
}

/** Device ids that the subject of the verified certificate names: CN and serialNumber. Undefined without one. */
export function certificateIds(socket: TLSSocket): readonly string[] | undefined {
  if (!socket.authorized) return undefined;
  const subject = socket.getPeerCertificate().subject as
    | { readonly CN?: string | string[]; readonly serialNumber?: string | string[] }
    | undefined;
  return [subject?.CN, subject?.serialNumber].flat().filter((name) => name !== undefined);
}
