import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { member, textLike, toInstant, toInstantOrNull } from '../../kernel/http/index.ts';
import type { Outcome, StoredFile } from './service.ts';
import type { FileRow } from './store.ts';

const verdict = z.enum(['valid', 'invalid', 'unsigned', 'unverifiable']);

export const fileShape = z
  .object({
    fileId: member.fileId,
    name: textLike('C_20260501_0830_I100000123456001.ddd'),
    sha256: member.sha256.describe('of the bytes as they came, hex'),
    size: z.number().int(),
    kind: z.enum(['driver-card', 'workshop-card', 'control-card', 'company-card', 'vehicle-unit']),
    generations: z.array(z.string()),
    driverId: member.driverId.nullable().describe('null: of a unit, or of a card that is no known driver’s yet'),
    card: z
      .object({ nation: z.number().int(), number: z.string(), holder: z.string(), expiry: instant.nullable() })
      .nullable(),
    targa: member.targa.nullable().describe('of a unit'),
    vin: member.vin.nullable(),
    nextCalibration: instant.nullable(),
    coverage: z.object({ from: z.string(), to: z.string(), days: z.number().int() }).nullable().describe('UTC days'),
    downloadedAt: instant.nullable().describe('where the file contains it; of a card at least its last activity'),
    signature: z.object({ verdict }).describe('invalid: the file contributes nothing, unless a person has admitted it'),
    incomplete: z.boolean().describe('cut, damaged or without activities: it does not count as the periodic download'),
    admission: z
      .object({ by: z.string(), at: instant, reason: z.string() })
      .nullable()
      .describe('who has admitted the file although signatures are invalid, and why'),
    status: z
      .enum(['waiting', 'stored', 'analysed'])
      .describe('waiting: for somebody to say whose card it is; stored: to be analysed'),
    uploadedAt: instant,
    analysedAt: instant.nullable(),
  })
  .meta({ id: 'TachographFile' });

export const warnings = z
  .array(z.object({ code: z.string(), where: z.string(), offset: z.number().int().optional(), detail: z.string() }))
  .describe('what is damaged, cut or implausible in it');

export const uploaded = fileShape.extend({
  duplicate: z.boolean().describe('the same bytes were there already'),
  warnings,
});

const problem = z.object({ code: z.string(), detail: z.string() });
export const uploadResult = z.object({
  name: textLike('C_20260501_0830_I100000123456001.ddd'),
  outcome: z.enum(['stored', 'duplicate', 'rejected']),
  file: uploaded.optional(),
  problem: problem.optional(),
});

export const judged = fileShape.extend({
  signatures: z.array(
    z.object({
      file: z.string(),
      verdict,
      reason: z.string().optional(),
      offset: z.number().int().optional(),
      date: z.string().optional().describe('UTC day of a unit'),
    }),
  ),
  warnings,
});

export function presentFile(row: FileRow): z.output<typeof fileShape> {
  const { cardNumber, nation, periodFrom, periodTo } = row;
  const isWaiting = row.driverId === null && cardNumber !== null && row.kind === 'driver-card';
  return {
    fileId: row.id,
    name: row.name,
    sha256: row.sha256,
    size: row.size,
    kind: row.kind,
    generations: [...row.generations],
    driverId: row.driverId,
    card:
      cardNumber === null || nation === null
        ? null
        : {
            nation,
            number: cardNumber,
            holder: row.holder ?? '',
            expiry: toInstantOrNull(row.cardExpiry),
          },
    targa: row.plate,
    vin: row.vin,
    nextCalibration: toInstantOrNull(row.nextCalibration),
    coverage:
      periodFrom === null || periodTo === null
        ? null
        : {
            from: periodFrom,
            to: periodTo,
            days: row.days,
          },
    downloadedAt: toInstantOrNull(row.downloadedAt),
    signature: { verdict: row.verdict },
    incomplete: row.isIncomplete,
    admission:
      row.admittedAt === null || row.admittedBy === null
        ? null
        : { by: row.admittedBy, at: toInstant(row.admittedAt), reason: row.admittedReason ?? '' },
    status: isWaiting ? 'waiting' : row.analysedAt === null ? 'stored' : 'analysed',
    uploadedAt: toInstantOrNull(row.uploadedAt)!,
    analysedAt: toInstantOrNull(row.analysedAt),
  };
}

export const presentUpload = ({ row, isDuplicate, findings }: StoredFile): z.output<typeof uploaded> => ({
  ...presentFile(row),
  duplicate: isDuplicate,
  warnings: findings.map((finding) => ({ ...finding })),
});

export function presentOutcome(outcome: Outcome): z.output<typeof uploadResult> {
  const { name } = outcome;
  if ('problem' in outcome) return { name, outcome: 'rejected', problem: outcome.problem };
  return { name, outcome: outcome.isDuplicate ? 'duplicate' : 'stored', file: presentUpload(outcome) };
}
