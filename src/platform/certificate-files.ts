import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Log } from './log.ts';
import { createPollLoop } from './poll-loop.ts';

export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
  /** authorities of the certificates of clients */
  readonly ca?: string | undefined;
}

/** PEM */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
}

const EVERY_MS = 5_000;

/** @throws if a file cannot be read, or the key is not that of the certificate */
export const readCertificate = (files: CertificateFiles): CertificatePair =>
  checked({
    cert: readFileSync(files.cert, 'utf8'),
    key: readFileSync(files.key, 'utf8'),
    ...(files.ca === undefined ? {} : { ca: readFileSync(files.ca, 'utf8') }),
  });

function checked(pair: CertificatePair): CertificatePair {
  if (!new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key))) {
    throw new Error('the private key does not belong to the certificate');
  }
  return pair;
}

export interface CertificateWatch {
  /** Compares the files now. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Compares the files with what is in use every few seconds: renewal programs and orchestrators replace files and links,
 * which notifications of the file system do not report reliably. While the two files do not belong together, because
 * one of them is yet to be replaced, the certificate in use is kept.
 */
export function watchCertificate(options: {
  readonly files: CertificateFiles;
  readonly inUse: CertificatePair;
  readonly onChange: (pair: CertificatePair) => void;
  readonly log: Log;
  readonly everyMs?: number;
}): CertificateWatch {
  const { files, onChange, log, everyMs = EVERY_MS } = options;
  let { inUse } = options;
  const loop = createPollLoop({
    everyMs,
    firstAfterMs: everyMs,
    async round() {
      const [cert, key, ca] = await Promise.all(
        [files.cert, files.key, files.ca].map((file) => (file === undefined ? undefined : readFile(file, 'utf8'))),
      );
      if (cert === inUse.cert && key === inUse.key && ca === inUse.ca) return false;
      const pair = checked({ cert: cert!, key: key!, ...(ca === undefined ? {} : { ca }) });
      onChange(pair);
      inUse = pair;
      log.info({ file: files.cert, validTo: new X509Certificate(pair.cert).validTo }, 'certificate replaced');
      return false;
    },
    onError: (error, failures) => {
      if (failures === 2) log.warn({ file: files.cert, reason: error.message }, 'the certificate is not replaced');
    },
  });
  loop.start();
  return { check: () => loop.run(), stop: () => loop.stop() };
}

/**
 * A name that the certificate is valid for, to verify it with if it is not reached by that name: over loopback.
 * Undefined if it is valid for `host`, or for no name.
 */
export function nameOfCertificate(pem: string, host: string): string | undefined {
  const certificate = new X509Certificate(pem);
  const bare = host.replace(/^\[|\]$/g, '');
  if ((isIP(bare) === 0 ? certificate.checkHost(bare) : certificate.checkIP(bare)) !== undefined) return undefined;
  const names = [...(certificate.subjectAltName ?? '').matchAll(/(?:DNS|IP Address):([^,\s]+)/g)].map(
    ([, name]) => name,
  );
  const commonName = /^CN=(.+)$/m.exec(certificate.subject)?.[1];
  return (names[0] ?? commonName)?.replace(/^\*/, 'localhost');
}
