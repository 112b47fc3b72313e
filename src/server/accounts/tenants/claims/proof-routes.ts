import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { z } from 'zod';
import { deviceId, instant } from '../../../../contract/position.ts';
import type { Clock } from '../../../../platform/clock.ts';
import { AppError } from '../../../../platform/errors.ts';
import { transaction } from '../../../database/index.ts';
import { noteChange } from '../../../kernel/audit/index.ts';
import { type App, member, tenantOf } from '../../../kernel/http/index.ts';
import { checkCertificateProof } from './certificate-proof.ts';
import * as store from './store.ts';

export interface ProofDeps {
  /** sees every tenant */
  readonly pool: pg.Pool;
  readonly clock: Clock;
  /** file with the authorities of device certificates; undefined: certificates are not accepted as proof */
  readonly deviceCa: string | undefined;
}

/** Proofs per tenant, device and hour. */
const MAX_PER_HOUR = 5;
/** Passwords per device id and day that are compared, over all tenants. */
const MAX_PER_DAY = 20;
/** Shorter passwords are not accepted as proof: they can be guessed. */
const MIN_LENGTH = 8;

const body = z.union([
  z.strictObject({ password: z.string().min(1).max(64).describe('the login password that the device has') }),
  z.strictObject({
    certificate: z.string().max(20_000).describe('certificate of the device, PEM'),
    signature: z.base64().max(2_000).describe('of the text that the description names, by the key of the certificate'),
    signedAt: instant.describe('as in the signed text'),
  }),
]);

/** A tenant proves that it owns a device, so that its claim is accepted without the operator. */
export function addProofRoutes(app: App, { pool, clock, deviceCa }: ProofDeps): void {
  app.post(
    '/v1/devices/:imei/proof',
    {
      config: { access: ['devices:write'], errors: ['unknown-device', 'invalid-proof', 'rate-limited'] },
      schema: {
        tags: ['devices'],
        summary: 'Prove that a device is yours',
        description:
          'If another tenant has registered the same device id, a valid proof has the effect of an accepted claim: ' +
          'what the device sends from then on is yours. The answer is the same if the proof has no effect, because the ' +
          'password is another one or because the device is yours already. A password proves something if the other ' +
          'tenant has set it as the option loginPassword, with at least 8 characters. A certificate is one that an ' +
          'authority of TLS_CLIENT_CA has issued with the device id in its subject (CN or serialNumber); its key signs ' +
          '`fleetgate-device-proof:{tenant}:{imei}:{signedAt}` with SHA-256 (Ed25519 without). Five proofs an hour for ' +
          'each device.',
        params: z.object({ imei: deviceId }),
        body: body.meta({ example: { password: 'kestrel-7731' } }),
        response: { 200: z.object({ message: member.message, imei: deviceId }) },
      },
    },
    async (request) => {
      const { imei } = request.params;
      const tenantId = tenantOf(request);
      const proof = request.body;
      const tenant = await store.tenantWithDevice(pool, tenantId, imei);
      if (tenant === undefined) throw new AppError('unknown-device');
      const given = await store.noteProof(pool, tenantId, imei);
      if (given.byTenant > MAX_PER_HOUR) throw new AppError('rate-limited', 'Try again in an hour', [], 3_600);
      const isCertificate = 'certificate' in proof;
      if (isCertificate) {
        if (deviceCa === undefined) throw new AppError('invalid-proof', 'TLS_CLIENT_CA is not set');
        checkCertificateProof(proof, { imei, tenant }, await readFile(deviceCa, 'utf8'), clock.now());
      }
      const isAccepted = await transaction(pool, async (tx) => {
        const claim = await store.lockClaimOf(tx, tenantId, imei);
        if (claim === undefined) return false;
        if (!isCertificate) {
          const expected = await store.passwordOfHolder(tx, imei);
          if (given.byAll > MAX_PER_DAY || !isPassword(expected, proof.password)) return false;
        }
        await store.acceptClaim(tx, claim);
        return true;
      });
      if (isAccepted)
        noteChange(request, { object: imei, after: { proof: isCertificate ? 'certificate' : 'password' } });
      return { message: 'The proof has been received', imei };
    },
  );
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const isPassword = (expected: unknown, password: string): boolean =>
  typeof expected === 'string' && expected.length >= MIN_LENGTH && timingSafeEqual(digest(expected), digest(password));
