import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import type { Clock } from '../../../platform/clock.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import {
  type App,
  type Cursors,
  instantMember,
  member,
  principalOf,
  tenantOf,
  text,
  textLike,
  toInstant,
} from '../../kernel/http/index.ts';
import { ABSENCES } from '../absences/kinds.ts';
import { absenceRows } from '../absences/store.ts';
import { dateAt } from '../engine/timeline/zone.ts';
import { tags } from '../files/routes.ts';
import type { Reader } from '../reader/index.ts';
import { lang } from '../reports/request.ts';
import { packed, sendReport } from '../reports/send.ts';
import { readSubjects } from '../reports/store.ts';
import { addRevocableRoutes } from '../revocable/routes.ts';
import { presentRevocation, revocation, revokeParams } from '../revocable/shapes.ts';
import { type TermsInForce, termsOf } from '../terms/index.ts';
import { attestationForm } from './form.ts';
import * as store from './store.ts';

const MAX_PERIOD_MS = 366 * DAY_MS;
const date = z.iso.date();
const signatory = z.object({ name: text(200, 1, 'Carla Rossi'), position: text(200, 1) });
const person = z.object({
  birthDate: date,
  document: text(60, 1).describe('number of driving licence, identity card or passport'),
  employedSince: date,
});

const attestation = z
  .object({
    id: textLike('att_00019f0a1b2c0a1b2c3d'),
    driverId: member.driverId,
    activity: z.enum(store.ATTESTED).describe('fields 14 to 19 of the form, in this order'),
    from: instant,
    to: instant,
    undertaking: z.object({
      name: member.name,
      address: member.address,
      telephone: z.string(),
      fax: z.string(),
      email: member.email,
    }),
    signatory,
    driver: person.extend({ name: member.name }),
    place: z.string(),
    date: z.string(),
    lang: z.enum(['it', 'en']),
    zone: z.string(),
    issuedBy: z.string(),
    issuedAt: instant,
    ...revocation,
  })
  .meta({ id: 'DriverAttestation' });

function present(row: store.AttestationRow): z.output<typeof attestation> {
  const { language, ...content } = row.content;
  return {
    id: row.id,
    driverId: row.driverId,
    activity: row.activity,
    from: toInstant(row.from),
    to: toInstant(row.to),
    ...content,
    lang: language,
    issuedBy: row.issuedBy,
    issuedAt: toInstant(row.issuedAt),
    ...presentRevocation(row),
  };
}

const body = z.object({
  driverId: text(100, 1, 'drv_0a1b2c3d4e5f6a7b8c'),
  absenceId: text(100, 1, 'abs_00019f0a1b2c0a1b2c3d')
    .optional()
    .describe('an absence of the driver that gives `activity`, `from` and `to`; without it they are required'),
  activity: z.enum(store.ATTESTED).optional(),
  from: instantMember('from').optional(),
  to: instantMember('to').optional().describe('at most 366 days after `from`'),
  signatory,
  driver: person,
  place: text(100, 1),
  date: date.optional().describe('when it is signed; today, without it'),
  lang,
});

export interface AttestationDeps {
  readonly pool: pg.Pool;
  readonly reader: Reader;
  readonly cursors: Cursors;
  readonly clock: Clock;
  /** there are drivers to analyse */
  readonly onChange: () => void;
}

/** Attestations of activities for time that the tachograph could not record. */
export function addAttestationRoutes(app: App, deps: AttestationDeps): void {
  const { pool, cursors, clock } = deps;
  app.post(
    '/v1/drivers/ddd/attestations',
    {
      config: {
        access: ['ddd:write'],
        errors: ['unknown-driver', 'unknown-absence', 'from-after-to', 'interval-too-long', 'employer-incomplete'],
      },
      schema: {
        tags,
        summary: 'Issue an attestation of activities',
        description:
          'The form of Decision 2007/230/EC as amended by 2009/959/EU. All of its fields must be filled in: name, address, ' +
          'telephone and e-mail of the undertaking are those of `employer` of the settings. The attested time remains ' +
          'without data in reports and rules; leave and sickness are neutral in averages of working time, as absences are. The ' +
          'roadside set contains the form. What it says stays as it is.',
        body: body.meta({
          example: {
            driverId: 'drv_0a1b2c3d4e5f6a7b8c',
            activity: 'annual-leave',
            from: '2026-05-04T06:00:00Z',
            to: '2026-05-11T06:00:00Z',
            signatory: { name: 'Bianchi Anna', position: 'Operations manager' },
            driver: { birthDate: '1980-02-03', document: 'U1234567X', employedSince: '2019-09-01' },
            place: 'Milano',
            lang: 'it',
          },
        }),
        response: { 200: attestation },
      },
    },
    async (request) => {
      const tenantId = tenantOf(request);
      const { driverId, signatory: signer, driver, place, date: on, lang: language } = request.body;
      const { activity, from, to } = await attestedOf(pool, tenantId, request.body);
      if (from >= to) throw new AppError('from-after-to');
      if (to - from > MAX_PERIOD_MS) throw new AppError('interval-too-long', 'An attestation covers at most 366 days');
      const [subject] = await readSubjects(pool, tenantId, { ids: [driverId], limit: 1 });
      if (subject === undefined) throw new AppError('unknown-driver');
      const terms = await termsOf(pool, tenantId);
      const row = await store.insertAttestation(pool, tenantId, {
        driverId,
        activity,
        from,
        to,
        content: {
          undertaking: undertakingOf(terms),
          signatory: signer,
          driver: { name: subject.name, ...driver },
          place,
          date: on ?? dateAt(Math.floor(clock.now() / 60_000), terms.zone),
          language,
          zone: terms.zone,
        },
        issuedBy: principalOf(request).id,
        issuedAt: clock.now(),
      });
      noteChange(request, { object: row.id, after: { driverId, activity, from, to } });
      deps.onChange();
      return present(row);
    },
  );
  addRevocableRoutes(
    app,
    { pool, clock, cursors },
    {
      path: '/v1/drivers/ddd/attestations',
      exampleId: 'att_00019f0a1b2c0a1b2c3d',
      name: 'driver-attestations',
      store: store.attestations,
      shape: attestation,
      present,
      unknown: 'unknown-attestation',
      listTitle: 'Attestations of activities, oldest first',
      revokeTitle: 'Revoke an attestation of activities',
      onRevoked: deps.onChange,
    },
  );
  addAttestationFile(app, deps);
}

type Attested = Pick<store.AttestationRow, 'activity' | 'from' | 'to'>;

/** What is attested: of the request, or of the absence that it names. Throws AppError `unknown-absence`, `invalid`. */
async function attestedOf(
  pool: pg.Pool,
  tenantId: number,
  { driverId, absenceId, activity, from, to }: Pick<z.output<typeof body>, 'driverId' | 'absenceId' | keyof Attested>,
): Promise<Attested> {
  if (absenceId !== undefined) {
    const drivers = [driverId];
    const [absence] = await absenceRows.list(pool, tenantId, { id: absenceId, drivers, inForce: true, limit: 1 });
    if (absence === undefined) throw new AppError('unknown-absence');
    const attested = ABSENCES[absence.kind].attested;
    return { activity: activity ?? attested, from: from ?? absence.from, to: to ?? absence.to };
  }
  if (activity === undefined || from === undefined || to === undefined) {
    throw new AppError('invalid', '`activity`, `from` and `to` are required without `absenceId`');
  }
  return { activity, from, to };
}

function addAttestationFile(app: App, { pool, reader }: AttestationDeps): void {
  app.get(
    '/v1/drivers/ddd/attestations/:id/file',
    {
      config: {
        access: ['ddd:read'],
        produces: '*/*',
        files: ['application/pdf'],
        audit: 'ddd.attestation-file',
        errors: ['unknown-attestation'],
      },
      schema: {
        tags,
        summary: 'An attestation of activities as PDF, to sign',
        description: 'In English, and with `lang=it` of the attestation in Italian too.',
        params: revokeParams('att_00019f0a1b2c0a1b2c3d'),
        response: { 200: packed },
      },
    },
    async (request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) => {
      const row = await find(pool, tenantOf(request), request.params.id);
      noteChange(request, { object: row.id });
      return sendReport(request, reply, reader, 'pdf', {
        name: `attestation_${row.id}`,
        json: present(row),
        report: () => attestationForm(row),
      });
    },
  );
}

async function find(pool: pg.Pool, tenantId: number, id: string): Promise<store.AttestationRow> {
  const [row] = await store.attestations.list(pool, tenantId, { id, limit: 1 });
  if (row === undefined) throw new AppError('unknown-attestation');
  return row;
}

/** Fields 1 to 5. Not every undertaking has a fax. */
function undertakingOf({ employer }: TermsInForce): store.AttestationContent['undertaking'] {
  const { name = '', address = '', telephone = '', fax = '', email = '' } = employer ?? {};
  const missing = Object.entries({ name, address, telephone, email }).flatMap(([key, value]) =>
    value === '' ? [key] : [],
  );
  if (missing.length > 0) {
    throw new AppError('employer-incomplete', `\`employer\` of the settings has no ${missing.join(', ')}`);
  }
  return { name, address, telephone, fax: fax || '–', email };
}
