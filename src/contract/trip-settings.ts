import { z } from 'zod';

export const TRIP_DETECTIONS = ['auto', 'ignition', 'motion', 'ignition-and-motion'] as const;
export type TripDetection = (typeof TRIP_DETECTIONS)[number];

/** How trips are found: members of requests, and options of a device, a group or a tenant, in this order. */
export const tripSettings = {
  tripDetection: z
    .enum(TRIP_DETECTIONS)
    .optional()
    .describe(
      '`ignition`: from on to off, by movement where the device does not report it; `motion`: from leaving a place to resting at one; `ignition-and-motion`: while the ignition is on, and a stop with the engine running ends it too; `auto`: ignition, but motion where the ignition is on throughout',
    ),
  stopSeconds: z.number().int().min(1).max(86_400).optional().describe('a shorter stop ends no trip; default 300'),
  stopSpeedKmh: z.number().min(0.5).max(50).optional().describe('slower is standing; default 3'),
  minTripMetres: z
    .number()
    .min(0)
    .max(100_000)
    .optional()
    .describe('a trip that stays closer to its start is dropped; default 150'),
};

const settings = z.object(tripSettings);
export type TripSettings = z.output<typeof settings>;
const NAMES = Object.keys(tripSettings) as (keyof typeof tripSettings)[];

/** Those of a set of options; values that are not valid are left out. */
export function tripSettingsOf(options: Readonly<Record<string, unknown>>): TripSettings {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const { success, data } = tripSettings[name].safeParse(options[name]);
      return success && data !== undefined ? [[name, data]] : [];
    }),
  );
}

/** Why options of a device or group are not valid, by their names. */
export function problemsOfTripSettings(options: Readonly<Record<string, unknown>>): [name: string, message: string][] {
  return NAMES.flatMap((name): [string, string][] => {
    const parsed = tripSettings[name].safeParse(options[name]);
    return parsed.success ? [] : [[name, parsed.error.issues[0]!.message]];
  });
}
