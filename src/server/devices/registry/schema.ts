import { z } from 'zod';
import { deviceId, instant } from '../../../contract/position.ts';
import { problemsOfTripSettings } from '../../../contract/trip-settings.ts';
import { member, page, textLike } from '../../kernel/http/index.ts';
import { securityOptions } from '../directory/index.ts';

const SECURITY_OPTIONS = ['networks', 'takeover', 'pinProtocol', 'loginPassword', 'requireCertificate'] as const;

function isCharset(label: unknown): boolean {
  if (label === undefined) return true;
  try {
    return typeof label === 'string' && new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

export const deviceOptions = z
  .record(z.string().min(1).max(64), z.union([z.string().max(1_000), z.number(), z.boolean()]))
  .superRefine((options, context) => {
    for (const name of SECURITY_OPTIONS) {
      const parsed = securityOptions.shape[name].safeParse(options[name]);
      if (!parsed.success) context.addIssue({ code: 'custom', path: [name], message: parsed.error.issues[0]!.message });
    }
    for (const [name, message] of problemsOfTripSettings(options)) {
      context.addIssue({ code: 'custom', path: [name], message });
    }
    if (!isCharset(options['charset'])) {
      context.addIssue({
        code: 'custom',
        path: ['charset'],
        message: 'not a character set of the WHATWG Encoding Standard',
      });
    }
  })
  .describe(
    'model, time zone, password, protocol options; charset: character set of the answers to commands, such as gbk or ' +
      'windows-1251; networks, takeover, pinProtocol, loginPassword and ' +
      'requireCertificate restrict who can use the device id; fuelTankLitres (liters that the tank holds), fuelSource ' +
      '(attribute that the level is read from, such as adc1) and fuelCalibration (reading:liters,reading:liters) ' +
      'describe the tank of its vehicle; tripDetection, stopSeconds, stopSpeedKmh and minTripMetres: how trips are found',
  );

export const device = z
  .object({
    imei: deviceId,
    name: textLike('Ducato of Carla').nullable(),
    state: z.enum(['online', 'offline', 'unknown']),
    options: deviceOptions,
    registeredBy: z.enum(['itself', 'api']).nullable(),
    registeredAt: instant.nullable(),
    firstSeenAt: instant.nullable().describe('of an unregistered device: when it first tried to log in'),
    lastSeenAt: instant.nullable(),
    sessionSince: instant.nullable(),
    protocol: member.protocol.nullable(),
    pinnedProtocol: z.string().nullable().describe('protocol of its first session'),
    blockedAt: instant.nullable().describe('since when gateways do not admit it; null: they do'),
    blockedNote: z.string().nullable().describe('why it was blocked'),
    remote: textLike('198.51.100.4:40210').nullable().describe('address and port that it was last seen at'),
  })
  .meta({ id: 'Device' });
export type Device = z.output<typeof device>;

export const deviceRoom = z
  .object({
    limit: z
      .number()
      .int()
      .nullable()
      .describe('registered devices that have never sent anything (`DEVICES_UNSEEN_PER_TENANT`); null: no limit'),
    left: z.number().int().nullable().describe('devices that can still be registered; null: no limit'),
  })
  .meta({ id: 'DeviceRoom' });
export type DeviceRoom = z.output<typeof deviceRoom>;

export const devicesQuery = z.object({
  state: z
    .enum(['online', 'offline', 'unknown'])
    .optional()
    .describe('unknown: tried to log in and are not registered; without it all that are registered'),
  ...page,
});

export const blocking = z.object({
  note: z.string().max(500).nullable().default(null).describe('why: shown with the device'),
});

const name = z.string().max(200).nullable();
export const registration = z.object({ imei: deviceId, name: name.optional(), options: deviceOptions.optional() });
export type Registration = z.output<typeof registration>;
export const deviceChange = z.object({
  name: name.optional(),
  options: deviceOptions.optional().describe('replaces all of them'),
  pinnedProtocol: z
    .string()
    .regex(/^[a-z0-9]{1,32}$/)
    .nullable()
    .optional()
    .describe('null: that of its next session'),
});
export type DeviceChange = z.output<typeof deviceChange>;
export const deviceParameter = z.object({ imei: deviceId });
export const removal = z.object({ message: member.message, imei: deviceId });
