import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { area, shownArea } from '../../fleet/records/index.ts';
import { MIN_INSTANT_MS, member, ring, text, textLike, tooOld } from '../../kernel/http/index.ts';
import { DAYS, isZone, PRIORITIES, RULE_TYPES } from '../rules/index.ts';

export const MAX_USERS = 100;
export const MAX_VEHICLES = 5_000;
export const MAX_GROUPS = 200;
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
    useRoadLimit: z.boolean().describe('overspeed: the limit reported by the device, if there is one'),
    hysteresisKmh: z.number().min(0).max(100),
    hysteresisM: z.number().min(0).max(10_000).describe('m beyond the edge of a geofence that still are no exit'),
    dwellSeconds: seconds(86_400).describe('minimum duration of the condition'),
    clearSeconds: seconds(86_400).describe('how long the condition must be over before the rule notifies again'),
    geofences: z
      .array(text(200, 1, 'Yard'))
      .min(1)
      .max(100)
      .describe('ids or names'),
    area,
    polygon: ring.describe('longitude, latitude; the last pair equals the first'),
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
      .describe(
        'fuel_drain, fuel_refill: at least so much, if neither the device nor the size of the tank gives liters; without it 5',
      ),
    windowSeconds: seconds(86_400).describe('accepted for earlier versions, without effect'),
    offlineSeconds: z.number().int().min(60).max(2_592_000).describe('device_offline: silence'),
    states: z.array(z.enum(['acknowledged', 'failed', 'expired', 'unknown', 'cancelled'])).describe('command_result'),
    odometerKm: z.number().positive().max(10_000_000).describe('maintenance'),
    engineHours: z.number().positive().max(1_000_000).describe('maintenance'),
    dueAt: z
      .number()
      .int()
      .min(MIN_INSTANT_MS, { error: ({ input }) => tooOld(String(input)) })
      .describe('maintenance: epoch ms'),
    minTemperature: z.number().min(-273).max(1_000).describe('temperature: °C'),
    maxTemperature: z.number().min(-273).max(1_000).describe('temperature: °C'),
    sensor: text(50, 1).describe('temperature: attribute that holds it, without it temp1 to temp8; sensor: its name'),
    below: z.number().describe('sensor: notifies below it'),
    above: z.number().describe('sensor: notifies above it'),
    hysteresis: z.number().min(0).describe('sensor: how far its value must be back inside the range'),
    alarms: z.array(text(50, 1)).min(1).max(100).describe('device_alarm: names of alarms; without it any alarm'),
    webhookUrl: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .describe('URL of the channel `webhook`'),
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
    .describe(
      'unauthorized_use fires outside of them, all others inside; a day that is not given, or whose min and max are equal, has no hours',
    ),
  description: text(1_000).default(''),
  priority: z.enum(PRIORITIES).default('normal'),
  timezone: zone.optional().describe('of auth_hours; by default that of the tenant'),
  users: z
    .array(text(200, 1, 'carla'))
    .min(1)
    .max(MAX_USERS)
    .describe('ids or user names'),
  vehicles: z
    .array(text(100, 1, 'AB123CD'))
    .max(MAX_VEHICLES)
    .default([])
    .describe(
      'plates, ids of vehicles, or of devices in none; at least one, unless `groups` or `allVehicles` is given',
    ),
  groups: z
    .array(text(200, 1, 'Vans'))
    .min(1)
    .max(MAX_GROUPS)
    .optional()
    .describe('ids or names of groups: also vehicles that come into them later'),
  allVehicles: z
    .boolean()
    .optional()
    .describe('all vehicles and devices, also later ones; of a user with some vehicles, those'),
  params: params.optional(),
  channels: z.array(z.enum(CHANNELS)).max(CHANNELS.length).default(['app']),
  cooldownSeconds: seconds(604_800).default(0),
});
export type RuleData = z.output<typeof ruleData>;

/** As it is shown: the zone filled in. */
export const shownRule = ruleData
  .extend({
    id: textLike('nrl_night'),
    timezone: member.timezone,
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
  message: member.message,
  notificationId: textLike('nrl_night'),
  created: z.boolean(),
  notification_data: shownRule,
});

const place = z.object({
  latitude: member.latitude.optional(),
  longitude: member.longitude.optional(),
  speed: member.speed.optional(),
  course: member.course.optional(),
  fixTime: instant.optional(),
  address: member.address.nullable().optional().describe('with `include=address`'),
});

const named = z.object({ id: textLike('drv_0a1b2c3d4e5f6a7b8c'), name: member.name });

/** What the text says, for programs. */
const details = {
  geofence: named.nullable().describe('that the event is about'),
  value: z.number().nullable().describe('speed, level, amount: in `unit`'),
  unit: z.string().nullable().describe('km/h, °C, V, %, l'),
  driver: named.nullable().describe('who drove the vehicle then'),
  place: z.string().nullable().describe('the nearest town of the built-in list'),
  mapUrl: z.string().nullable().describe('a map with the position: setting MAP_LINK'),
  detail: z.string().nullable().describe('alarms of the device, answer of a command and the like'),
};

export const notification = z
  .object({
    id: textLike('4713'),
    ruleId: textLike('nrl_night').nullable(),
    userId: member.userId,
    kind: z
      .enum(['alarm', 'moved', 'withdrawn'])
      .describe('moved, withdrawn: corrects an earlier notification, which began at another time or is not true'),
    type: z.string(),
    priority: z.string(),
    title: textLike('AB123CD: use outside the permitted hours'),
    body: textLike('At 22:14 in Via Roma 1, Milano'),
    targa: member.targa.nullable(),
    imei: member.imei.nullable(),
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
    id: textLike('4713'),
    severity: z.string(),
    kind: z.string(),
    title: textLike('AB123CD: use outside the permitted hours'),
    body: textLike('At 22:14 in Via Roma 1, Milano'),
    targa: member.targa.optional(),
    position: place.optional(),
    ...details,
    occurredAt: instant,
    ack: z.boolean(),
  })
  .meta({ id: 'Alert' });
