import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Pair {
  /** files */
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority with a certificate for `localhost`, made by openssl. */
export interface Certificates {
  readonly server: Pair;
  /** another certificate for `localhost`, of the same authority */
  another(): Pair;
  /** PEM of the authority */
  readonly ca: string;
  readonly caFile: string;
  /** PEMs of a certificate for a device */
  device(subject: string): { readonly cert: string; readonly key: string };
  remove(): void;
}

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'fleetgate-certificates-'));
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const [caKey, caFile] = [at('ca.key'), at('ca.pem')];
  openssl('req', '-x509', ...EC, '-days', '2', '-subj', '/CN=Test CA', '-keyout', caKey, '-out', caFile);
  let serial = 0;
  const sign = (subject: string, extension: string): Pair => {
    const name = `c${++serial}`;
    const [key, request, cert, extensions] = [
      at(`${name}.key`),
      at(`${name}.csr`),
      at(`${name}.pem`),
      at(`${name}.ext`),
    ];
    openssl('req', '-new', ...EC, '-subj', subject, '-keyout', key, '-out', request);
    writeFileSync(extensions, extension);
    const issuer = ['-CA', caFile, '-CAkey', caKey, '-set_serial', String(serial)];
    openssl('x509', '-req', '-in', request, ...issuer, '-days', '2', '-extfile', extensions, '-out', cert);
    return { cert, key };
  };
  return {
    server: sign('/CN=localhost', 'subjectAltName=DNS:localhost'),
    another: () => sign('/CN=localhost', 'subjectAltName=DNS:localhost'),
    ca: readFileSync(caFile, 'utf8'),
    caFile,
    device(subject) {
      const { cert, key } = sign(subject, 'extendedKeyUsage=clientAuth');
      return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
