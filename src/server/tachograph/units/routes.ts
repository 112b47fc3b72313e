import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { AppError } from '../../../platform/errors.ts';
import { normaliseTarga } from '../../fleet/records/index.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import { type App, member, tenantOf, text, toInstant } from '../../kernel/http/index.ts';
import { eventName, purposeName } from '../engine/codes.ts';
import type { UnitReport } from '../engine/reports/unit-report.ts';
import { tags } from '../files/routes.ts';
import type { Files } from '../files/service.ts';
import { type FileRow, newestUnitFile } from '../files/store.ts';
import { presentSource, sourceShape } from '../infringements/document-routes.ts';
import type { Reader } from '../reader/index.ts';
import { format, lang, zone } from '../reports/request.ts';
import { FILE_TYPES, formatOf, packed, sendReport } from '../reports/send.ts';
import { termsOf } from '../terms/index.ts';
import { unitDocument } from './document.ts';

const body = z
  .object({
    fileId: text(100, 1, 'ddd_00019f0a1b2c0a1b2c3d4e5f').optional(),
    targa: text(64, 1, 'AB123CD').optional().describe('its newest complete download'),
    format,
    tz: zone.optional().describe('by default that of payroll'),
    lang,
  })
  .refine(({ fileId, targa }) => (fileId === undefined) !== (targa === undefined), {
    error: 'either a file (fileId) or a vehicle (targa) is needed',
  });
type Body = z.output<typeof body>;

const count = z.number().int();
const time = instant.nullable();
const answer = z.object({
  targa: member.targa,
  vin: member.vin,
  downloadedAt: time,
  file: sourceShape,
  identification: z
    .object({
      manufacturer: z.string(),
      partNumber: z.string(),
      serialNumber: z.string(),
      softwareVersion: z.string(),
      softwareInstalledAt: time,
      manufacturedAt: time,
      approvalNumber: z.string(),
    })
    .nullable(),
  sensors: z.array(z.object({ serialNumber: z.string(), approvalNumber: z.string(), pairedAt: time })),
  calibrations: z.array(
    z.object({
      at: time,
      purpose: count,
      purposeText: z.string(),
      workshop: z.string(),
      workshopCard: z.string().nullable(),
      odometerKm: count.nullable(),
      w: count.describe('impulses per kilometer'),
      k: count,
      tyreSize: z.string(),
      tyreCircumferenceMm: z.number(),
      authorisedSpeedKmh: count,
      nextCalibrationAt: time,
    }),
  ),
  companyLocks: z.array(
    z.object({
      company: z.string(),
      address: member.address,
      lockedAt: time,
      unlockedAt: time.describe('null: locked'),
    }),
  ),
  controls: z.array(z.object({ at: time, type: count, card: z.string().nullable() })),
  events: z.array(
    z.object({
      kind: z.enum(['event', 'fault']),
      code: count.describe('EventFaultType'),
      text: z.string(),
      from: time,
      to: time,
      cards: z.array(z.string()),
      similar: count.nullable(),
    }),
  ),
  overspeeds: z.array(
    z.object({
      from: time,
      to: time,
      maximumKmh: count,
      averageKmh: count,
      card: z.string().nullable(),
      similar: count,
    }),
  ),
  timeAdjustments: z.array(z.object({ from: time, to: time, workshop: z.string() })),
  drivers: z.array(
    z.object({
      name: member.name,
      card: z.string().nullable(),
      slot: z.enum(['driver', 'co-driver']),
      from: instant,
      to: time,
      odometerFromKm: count.nullable(),
      odometerToKm: count.nullable(),
    }),
  ),
});

const at = (seconds: number | null): string | null => (seconds === null ? null : toInstant(seconds * 1000));

function jsonOf(unit: UnitReport, file: FileRow, language: Body['lang']): z.output<typeof answer> {
  const span = <T extends { readonly from: number | null; readonly to: number | null }>(each: T) => ({
    ...each,
    from: at(each.from),
    to: at(each.to),
  });
  return {
    targa: unit.plate,
    vin: unit.vin,
    downloadedAt: at(unit.downloadedAt),
    file: presentSource(file),
    identification: unit.identification && {
      ...unit.identification,
      softwareInstalledAt: at(unit.identification.softwareInstalledAt),
      manufacturedAt: at(unit.identification.manufacturedAt),
    },
    sensors: unit.sensors.map((each) => ({ ...each, pairedAt: at(each.pairedAt) })),
    calibrations: unit.calibrations.map((each) => ({
      ...each,
      at: at(each.at),
      nextCalibrationAt: at(each.nextCalibrationAt),
      purposeText: purposeName(each.purpose)[language],
    })),
    companyLocks: unit.companyLocks.map((each) => ({
      ...each,
      lockedAt: at(each.lockedAt),
      unlockedAt: at(each.unlockedAt),
    })),
    controls: unit.controls.map((each) => ({ ...each, at: at(each.at) })),
    events: unit.events.map((each) => ({
      ...span(each),
      cards: [...each.cards],
      text: eventName(each.code)[language],
    })),
    overspeeds: unit.overspeeds.map(span),
    timeAdjustments: unit.timeAdjustments.map(span),
    drivers: unit.drivers.map((each) => ({ ...each, from: toInstant(each.from * 1000), to: at(each.to) })),
  };
}

export interface UnitDeps {
  readonly pool: pg.Pool;
  readonly reader: Reader;
  readonly files: Files;
}

/** What a vehicle unit has recorded, as a document. */
export function addUnitRoutes(app: App, { pool, reader, files }: UnitDeps): void {
  app.post(
    '/v1/vehicles/ddd/unit_file',
    {
      config: {
        access: ['ddd:read'],
        produces: '*/*',
        files: FILE_TYPES,
        audit: 'ddd.unit-file',
        errors: ['unknown-file', 'no-data'],
      },
      schema: {
        tags,
        summary: 'Events, faults, overspeed, company locks, calibrations and drivers of a vehicle unit',
        description:
          'Of one file, or of the newest complete download of a vehicle. `format` (or Accept) chooses JSON or a file; a ' +
          'client that accepts JSON alone gets the file as Base64.',
        body: body.meta({ example: { fileId: 'ddd_00019f0a1b2c0a1b2c3d4e5f', format: 'json' } }),
        response: { 200: z.union([answer, packed]) },
      },
    },
    async (request: FastifyRequest<{ Body: Body }>, reply: FastifyReply) => {
      const tenantId = tenantOf(request);
      const { fileId, targa, tz, lang: language } = request.body;
      const id = fileId ?? (await newestUnitFile(pool, tenantId, normaliseTarga(targa!)));
      if (id === undefined) throw new AppError('no-data', 'There is no download of this vehicle');
      const file = await files.find(tenantId, id);
      const unit = await reader.ask('unit', { bytes: await files.bytes(tenantId, id) });
      if (unit === undefined) throw new AppError('no-data', 'The file is not one of a vehicle unit');
      const used = tz ?? (await termsOf(pool, tenantId)).zone;
      const chosen = formatOf(request, request.body.format);
      noteChange(request, { object: id, after: { format: chosen } });
      return sendReport(request, reply, reader, chosen, {
        name: `unit_${file.plate ?? id}`,
        json: jsonOf(unit, file, language),
        report: () => unitDocument(unit, file, { language, zone: used }),
      });
    },
  );
}
