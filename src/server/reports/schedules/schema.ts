import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { text, textLike, toInstant, toInstantOrNull } from '../../kernel/http/index.ts';
import { isZone } from '../../tachograph/engine/timeline/zone.ts';
import { REPORT_SCOPES, type ReportKind } from './kinds.ts';
import type { RunRow, ScheduleRow } from './store.ts';

const KINDS = Object.keys(REPORT_SCOPES) as [ReportKind, ...ReportKind[]];

export const RUN_STATES = ['waiting', 'sending', 'sent', 'failed'] as const;

const MAX_RECIPIENTS = 20;
const MAX_VEHICLES = 500;

const members = {
  name: text(200, 1, 'Weekly trips'),
  kind: z.enum(KINDS).describe('trips; refuels and drains; infringements; downloads of cards and units that are due'),
  format: z.enum(['xlsx', 'pdf']),
  every: z
    .enum(['week', 'month'])
    .describe('a weekly report has the seven days before it, a monthly one the month before'),
  day: z.number().int().min(1).max(28).describe('weekday, 1 Monday to 7, or day of the month, 1 to 28'),
  hour: z.number().int().min(0).max(23).describe('of the time zone'),
  zone: text(64, 1, 'Europe/Rome')
    .refine(isZone, { error: 'no time zone' })
    .describe('of the hour and of the days of the report'),
  language: z.enum(['it', 'en']),
  recipients: z.array(z.email().max(320)).min(1).max(MAX_RECIPIENTS),
  vehicles: z
    .array(text(64, 1))
    .min(1)
    .max(MAX_VEHICLES)
    .nullable()
    .describe('plates, for trips and fuel; null: all vehicles of the owner'),
  active: z.boolean(),
};

const fitting = ({ every, day }: { every?: string | undefined; day?: number | undefined }): boolean =>
  every !== 'week' || day === undefined || day <= 7;
const WEEKDAY = { error: 'a weekday is 1 to 7', path: ['day'] };

export const newSchedule = z
  .object({
    ...members,
    day: members.day.default(1),
    hour: members.hour.default(6),
    zone: members.zone.optional().describe('Europe/Rome by default'),
    language: members.language.default('it'),
    vehicles: members.vehicles.default(null),
    active: members.active.default(true),
  })
  .refine(fitting, WEEKDAY);

export const scheduleChange = z.object(members).partial().refine(fitting, WEEKDAY);

export const schedule = z
  .object({
    id: textLike('rps_00019f0a1b2c0a1b2c3d4e5f'),
    ...members,
    kind: z.enum(KINDS),
    owner: z.string().describe('user or API key with whose permissions the reports are made'),
    nextAt: instant.nullable().describe('null: not active'),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'ReportSchedule' });

export const run = z
  .object({
    id: textLike('rpr_00019f0a1b2c0a1b2c3d4e5f'),
    scheduleId: textLike('rps_00019f0a1b2c0a1b2c3d4e5f'),
    name: textLike('Trips of the week'),
    kind: z.enum(KINDS),
    from: z.iso.date(),
    to: z.iso.date().describe('the last day'),
    state: z.enum(RUN_STATES),
    attempts: z.number().int(),
    nextAt: instant.nullable().describe('of the next attempt'),
    problem: z.string().nullable().describe('why the last attempt failed'),
    bytes: z.number().int().nullable().describe('of the document'),
    sentAt: instant.nullable(),
    createdAt: instant,
  })
  .meta({ id: 'ReportRun' });

export function presentSchedule(row: ScheduleRow): z.output<typeof schedule> {
  const { id, name, kind, format, every, day, hour, zone, language, recipients, vehicles, active } = row;
  return {
    id,
    name,
    kind,
    format,
    every,
    day,
    hour,
    zone,
    language,
    active,
    recipients: [...recipients],
    vehicles: vehicles === null ? null : [...vehicles],
    owner: row.ownerId,
    nextAt: active ? toInstant(row.nextAt) : null,
    createdAt: toInstant(row.createdAt),
    updatedAt: toInstant(row.updatedAt),
  };
}

export function presentRun(row: RunRow): z.output<typeof run> {
  const { id, scheduleId, name, kind, from, to, state, attempts, problem, bytes } = row;
  return {
    id,
    scheduleId,
    name,
    kind,
    from,
    to,
    state,
    attempts,
    problem,
    bytes,
    nextAt: state === 'waiting' ? toInstant(row.nextAt) : null,
    sentAt: toInstantOrNull(row.sentAt),
    createdAt: toInstant(row.createdAt),
  };
}
