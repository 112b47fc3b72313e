import { readFileSync } from 'node:fs';
import type { TLSSocket, TlsOptions } from 'node:tls';

export interface TlsSettings {
  /** files in PEM */
  readonly cert: string;
  readonly key: string;
  /** connections without TLS are closed, and no UDP port opens */
  readonly required?: boolean;
  /** file with the authorities of the devices' certificates; with it every TLS connection needs one */
  readonly clientCa?: string | undefined;
}

export function tlsOptions({ cert, key, clientCa }: TlsSettings, handshakeTimeout: number): TlsOptions {
  const options = { cert: readFileSync(cert), key: readFileSync(key), handshakeTimeout };
  if (clientCa === undefined) return options;
  return { ...options, ca: readFileSync(clientCa), requestCert: true, rejectUnauthorized: true };
}

/** Device ids that the subject of the verified certificate names: CN and serialNumber. Undefined without one. */
export function certificateIds(socket: TLSSocket): readonly string[] | undefined {
  if (!socket.authorized) return undefined;
  const subject = socket.getPeerCertificate().subject as unknown as
    | { readonly CN?: string | string[]; readonly serialNumber?: string | string[] }
    | undefined;
  return [subject?.CN, subject?.serialNumber].flat().filter((name) => name !== undefined);
}
