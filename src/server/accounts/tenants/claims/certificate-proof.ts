import { createPublicKey, verify, X509Certificate } from 'node:crypto';
import { AppError } from '../../../../platform/errors.ts';

export interface CertificateProof {
  /** PEM */
  readonly certificate: string;
  /** base64, of the text by the key of the certificate */
  readonly signature: string;
  /** RFC 3339 */
  readonly signedAt: string;
}

/** Maximum age of a signature. */
const VALID_MS = 300_000;
const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Text that the holder of the device key signs: valid for one tenant and five minutes. */
export const textToSign = (tenant: string, imei: string, signedAt: string): string =>
  `fleetgate-device-proof:${tenant}:${imei}:${signedAt}`;

/**
 * Checks that the certificate belongs to the device, was issued by one of the authorities, and that its key signed
 * the text. Throws AppError `invalid-proof` with the reason. `authorities`: PEM.
 */
export function checkCertificateProof(
  { certificate, signature, signedAt }: CertificateProof,
  device: { readonly imei: string; readonly tenant: string },
  authorities: string,
  now: number,
): void {
  const refuse = (reason: string): never => {
    throw new AppError('invalid-proof', reason);
  };
  const leaf = parse(certificate) ?? refuse('The certificate cannot be read');
  const issuers = (authorities.match(PEM) ?? []).flatMap((pem) => parse(pem) ?? []);
  const isIssued = issuers.some(
    (issuer) => issuer.ca && isValidAt(issuer, now) && leaf.checkIssued(issuer) && leaf.verify(issuer.publicKey),
  );
  if (!isIssued) refuse('The certificate was not issued by an authority of TLS_CLIENT_CA');
  if (!isValidAt(leaf, now)) refuse('The certificate has expired or is not valid yet');
  if (!idsOf(leaf).includes(device.imei)) refuse('The subject of the certificate does not contain the device id');
  if (Math.abs(now - Date.parse(signedAt)) > VALID_MS) refuse('signedAt is more than five minutes from now');
  const text = Buffer.from(textToSign(device.tenant, device.imei, signedAt));
  if (!isSigned(leaf, text, Buffer.from(signature, 'base64'))) refuse('The signature does not match');
}

function parse(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

const isValidAt = ({ validFrom, validTo }: X509Certificate, now: number): boolean =>
  Date.parse(validFrom) <= now && now <= Date.parse(validTo);

/** CN and serialNumber of the subject, as device ports read them. */
const idsOf = ({ subject }: X509Certificate): string[] =>
  subject.split('\n').flatMap((line) => /^(?:CN|serialNumber)=(.*)$/.exec(line)?.[1] ?? []);

function isSigned({ publicKey }: X509Certificate, text: Buffer, signature: Buffer): boolean {
  const { asymmetricKeyType: type = '' } = publicKey;
  try {
    return verify(
      type.startsWith('ed') ? null : 'sha256',
      text,
      createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
      signature,
    );
  } catch {
    return false;
  }
}
