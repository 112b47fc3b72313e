import { constants, createHash, generateKeyPairSync, type KeyObject, privateEncrypt, sign } from 'node:crypto';
import { CURVES, TAG } from './ecc.ts';
import { RECOVERED } from './rsa.ts';

/** A key pair with its certificate: creates the signatures and certificates of test files. */
export interface Issuer {
  /** CHR, 8 bytes. */
  readonly id: Uint8Array;
  /** Published form: of a root what `readRoot` reads, otherwise its certificate. */
  readonly certificate: Uint8Array;
  readonly privateKey: KeyObject;
  sign(data: Uint8Array): Uint8Array;
}

export interface Holder {
  readonly id: Uint8Array;
  /** Last byte of the CHA. */
  readonly role: number;
  readonly validFrom?: number;
  readonly validTo?: number;
}

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** A holder with an RSA-1024 key; without an issuer a root of generation 1. */
export function issueRsa(holder: Holder, issuer?: Issuer): Issuer {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024, publicExponent: 65_537 });
  const { n, e } = publicKey.export({ format: 'jwk' });
  const exponent = Buffer.alloc(8);
  const short = Buffer.from(e!, 'base64url');
  short.copy(exponent, 8 - short.length);
  const key = Buffer.concat([Buffer.from(n!, 'base64url'), exponent]);
  const certificate = issuer === undefined ? Buffer.concat([holder.id, key]) : rsaCertificateOf(holder, key, issuer);
  return { id: holder.id, certificate, privateKey, sign: (data) => sign('sha1', data, privateKey) };
}

function rsaCertificateOf(holder: Holder, key: Uint8Array, issuer: Issuer): Buffer {
  const authorisation = Buffer.concat([Buffer.from('ff544143484f', 'hex'), Uint8Array.of(holder.role)]);
  const end = u32(holder.validTo ?? 0xffff_ffff);
  const content = Buffer.concat([Uint8Array.of(1), issuer.id, authorisation, end, holder.id, key]);
  const hash = createHash('sha1').update(content).digest();
  const block = Buffer.concat([Uint8Array.of(0x6a), content.subarray(0, RECOVERED), hash, Uint8Array.of(0xbc)]);
  const signature = privateEncrypt({ key: issuer.privateKey, padding: constants.RSA_NO_PADDING }, block);
  return Buffer.concat([signature, content.subarray(RECOVERED), issuer.id]);
}

/** A holder with a key on a curve, by its name in OpenSSL; without an issuer a root of generation 2. */
export function issueEcc(curve: string, holder: Holder, issuer?: Issuer): Issuer {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: curve });
  const [oid, { bits, hash }] = [...CURVES].find(([, { name }]) => name === curve)!;
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const point = spki.subarray(spki.length - 1 - 2 * Math.ceil(bits / 8));
  const own = (data: Uint8Array): Buffer => sign(hash, data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  const body = element(
    TAG.body,
    element(TAG.profile, Uint8Array.of(0)),
    element(TAG.issuer, issuer?.id ?? holder.id),
    element(TAG.authorisation, Buffer.from('ff534d524454', 'hex'), Uint8Array.of(holder.role)),
    element(TAG.publicKey, element(TAG.curve, Buffer.from(oid, 'hex')), element(TAG.point, point)),
    element(TAG.holder, holder.id),
    element(TAG.from, u32(holder.validFrom ?? 0)),
    element(TAG.to, u32(holder.validTo ?? 0xffff_ffff)),
  );
  const signature = element(TAG.signature, (issuer?.sign ?? own)(body));
  return { id: holder.id, certificate: element(TAG.certificate, body, signature), privateKey, sign: own };
}

function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(parts);
  const size = value.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Uint8Array.from([...(tag > 0xff ? [tag >> 8] : []), tag & 0xff, ...length]), value]);
}
