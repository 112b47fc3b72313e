import { z } from 'zod';
import { instant } from '../../contract/position.ts';
import { DAYS, isZone, PRIORITIES, RULE_TYPES } from '../../rules/index.ts';
import { area, shownArea } from '../fleet-records/index.ts';
import { OLDEST, ring, text, tooOld } from '../http/index.ts';

export const MOST_USERS = 100;
export const MOST_VEHICLES = 5_000;
export const CHANNELS = ['app', 'email', 'webhook', 'web_push', 'fcm'] as const;

const hour = z.number().min(0).max(24);
const dayHours = z.strictObject({
  min: hour.default(0).describe('hours as a decimal: 8.5 is 08:30'),
  max: hour.default(24).describe('not included; less than `min`: on the day after'),
  all_day: z.boolean().default(false),
});
const week = z.strictObject(
  Object.fromEntries(DAYS.map((day) => [day, dayHours.optional()])) as Record<
    (typeof DAYS)[number],
    z.ZodOptional<typeof dayHours>
  >,
);

export const zone = text(64, 1)
  .refine(isZone, { error: 'no time zone of that name', params: { code: 'unknown-timezone' } })
  .describe('a name of the IANA data base: Europe/Rome');

const seconds = (most: number) => z.number().int().min(0).max(most);
const params = z
  .strictObject({
    minSpeedKmh: z.number().min(0).max(300),
    limitKmh: z.number().positive().max(500).describe('overspeed, geofence_speed'),
    maxSpeed: z.number().positive().max(500).describe('another name of `limitKmh`'),
    useRoadLimit: z.boolean().describe('overspeed: the limit that the device reports, where it does'),
    hysteresisKmh: z.number().min(0).max(100),
    hysteresisM: z.number().min(0).max(10_000).describe('m beyond the edge of a geofence that still are no exit'),
    dwellSeconds: seconds(86_400).describe('how long it must last'),
    clearSeconds: seconds(86_400).describe('how long the condition must be over before the rule notifies again'),
    geofences: z.array(text(200, 1)).min(1).max(100).describe('ids or names'),
    area,
    polygon: ring.describe('longitude, latitude; the first pair repeated as the last'),
    minVolts: z.number().min(0).max(100).describe('power_cut: external supply below it'),
    minPercent: z.number().min(0).max(100).describe('low_battery'),
    litres: z
      .number()
      .positive()
      .max(10_000)
      .describe('fuel_drain, fuel_refill: at least so much; without it 10, or 1.5 % of a larger tank'),
    percent: z
      .number()
      .positive()
      .max(100)
      .describe('likewise, where neither the device nor the size of the tank gives litres; without it 5'),
    windowSeconds: seconds(86_400).describe('accepted for earlier versions, without effect'),
    offlineSeconds: z.number().int().min(60).max(2_592_000).describe('device_offline: silence'),
    states: z.array(z.enum(['acknowledged', 'failed', 'expired', 'unknown', 'cancelled'])).describe('command_result'),
    odometerKm: z.number().positive().max(10_000_000).describe('maintenance'),
    engineHours: z.number().positive().max(1_000_000).describe('maintenance'),
    dueAt: z
      .number()
      .int()
      .min(OLDEST, { error: ({ input }) => tooOld(String(input)) })
      .describe('maintenance: epoch ms'),
    minTemperature: z.number().min(-273).max(1_000).describe('temperature: °C'),
    maxTemperature: z.number().min(-273).max(1_000).describe('temperature: °C'),
    sensor: text(30, 1).describe('temperature: attribute that holds it; without it temp1 to temp8'),
    alarms: z.array(text(50, 1)).min(1).max(100).describe('device_alarm: names of alarms; without it any alarm'),
    webhookUrl: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .describe('where the channel `webhook` goes'),
  })
  .partial();

export const ruleData = z.object({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .optional()
    .describe('names the rule: sent again it changes it'),
  type: z.enum(RULE_TYPES),
  auth_hours: week
    .optional()
    .describe('unauthorized_use fires outside of them, all others inside; a day that is missing has none'),
  description: text(1_000).default(''),
  priority: z.enum(PRIORITIES).default('normal'),
  timezone: zone.optional().describe('of auth_hours; the tenant’s where it is missing'),
  users: z.array(text(200, 1)).min(1).max(MOST_USERS).describe('ids or user names'),
  vehicles: z.array(text(100, 1)).min(1).max(MOST_VEHICLES).describe('plates, ids of vehicles, or of devices in none'),
  params: params.optional(),
  channels: z.array(z.enum(CHANNELS)).max(CHANNELS.length).default(['app']),
  cooldownSeconds: seconds(604_800).default(0),
});
export type RuleData = z.output<typeof ruleData>;

/** As it is shown: the zone filled in. */
export const shownRule = ruleData
  .extend({
    id: z.string(),
    timezone: z.string(),
    type: z.string(),
    priority: z.string(),
    params: params.extend({ area: shownArea.optional() }).optional(),
  })
  .meta({ id: 'NotificationRule' });
export type ShownRule = z.output<typeof shownRule>;

export const listedRule = shownRule
  .extend({ changeable: z.boolean().describe('whether the caller may change and delete it') })
  .meta({ id: 'ListedNotificationRule' });
export type ListedRule = z.output<typeof listedRule>;

/** A rule as it was listed can be sent back. */
export const savedRule = ruleData.extend({
  changeable: z.boolean().optional().describe('as listed; without effect'),
});

export const created = z.object({
  message: z.string(),
  notificationId: z.string(),
  created: z.boolean(),
  notification_data: shownRule,
});

const place = z.object({
  latitude: z.number().optional(),
  longitude: z.number().optional(),
  speed: z.number().optional(),
  course: z.number().optional(),
  fixTime: instant.optional(),
  address: z.string().nullable().optional().describe('with `include=address`'),
});

const named = z.object({ id: z.string(), name: z.string() });

/** What the text says, for programs. */
const details = {
  geofence: named.nullable().describe('that the event is about'),
  value: z.number().nullable().describe('speed, level, amount: in `unit`'),
  unit: z.string().nullable().describe('km/h, °C, V, %, l'),
  driver: named.nullable().describe('who drove the vehicle then'),
  mapUrl: z.string().nullable().describe('a map with the position: setting MAP_LINK'),
  detail: z.string().nullable().describe('alarms of the device, answer of a command and the like'),
};

export const notification = z
  .object({
    id: z.string(),
    ruleId: z.string().nullable(),
    userId: z.string(),
    kind: z
      .enum(['alarm', 'moved', 'withdrawn'])
      .describe('moved, withdrawn: corrects an earlier notification, which began at another time or is not true'),
    type: z.string(),
    priority: z.string(),
    title: z.string(),
    body: z.string(),
    targa: z.string().nullable(),
    imei: z.string().nullable(),
    position: place.nullable(),
    ...details,
    occurredAt: instant.describe('by the clock of the device'),
    createdAt: instant,
    readAt: instant.nullable(),
    corrects: z.string().nullable().describe('the message that later data have shown to be otherwise'),
    delivery: z.array(
      z.object({
        channel: z.enum(CHANNELS),
        state: z.enum(['pending', 'delivered', 'failed', 'skipped']),
        at: instant,
        attempts: z.number().int(),
        reason: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'Notification' });
export type ShownNotification = z.output<typeof notification>;

export const alert = z
  .object({
    id: z.string(),
    severity: z.string(),
    kind: z.string(),
    title: z.string(),
    body: z.string(),
    targa: z.string().optional(),
    position: place.optional(),
    ...details,
    occurredAt: instant,
    ack: z.boolean(),
  })
  .meta({ id: 'Alert' });
