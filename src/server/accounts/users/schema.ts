import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { ROLES } from '../../kernel/access/index.ts';
import { member, page, text, textLike } from '../../kernel/http/index.ts';

export const user = z
  .object({
    id: textLike('usr_0a1b2c3d4e5f6a7b8c'),
    username: member.username,
    name: member.name.nullable(),
    email: member.email.nullable(),
    role: z.enum(ROLES),
    active: z.boolean(),
    allVehicles: z.boolean().describe('false: the user sees the vehicles of `targhe` only'),
    targhe: z.array(member.targa),
    vehicles: z.number().int(),
    locale: textLike('it'),
    timezone: member.timezone.nullable(),
    preferences: z.record(z.string(), z.unknown()),
    lastLoginAt: instant.nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'User' });
export type User = z.output<typeof user>;

export const listedUser = user.pick({
  id: true,
  username: true,
  name: true,
  email: true,
  role: true,
  vehicles: true,
  active: true,
  lastLoginAt: true,
});

export const usersQuery = z.object({
  q: text(100, 1).optional().describe('part of user name, name or e-mail address'),
  role: z.enum(ROLES).optional(),
  ...page,
});

const RESERVED = new Set(['me', 'api', 'history', 'badge', 'export', 'import']);
const isZone = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
};

/** as in the IANA database */
export const timezone = z.string().max(64).refine(isZone, { error: 'no time zone' });

const fields = {
  username: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}$/, { error: 'letters, digits and . _ @ + -' })
    .transform((name) => name.toLowerCase())
    .refine((name) => !RESERVED.has(name) && !name.startsWith('usr_'), { error: 'a reserved word' }),
  name: text(200, 0, 'Carla Rossi').nullable().optional(),
  email: z
    .email()
    .max(320)
    .transform((address) => address.toLowerCase())
    .nullable()
    .optional(),
  role: z.enum(ROLES),
  active: z.boolean().optional(),
  allVehicles: z
    .boolean()
    .optional()
    .describe(
      'false: only the vehicles of `targhe`. Of a new user the default is true for `admin` and `manager` without ' +
        '`targhe`, otherwise false',
    ),
  targhe: z
    .array(text(64, 1, 'AB123CD'))
    .max(5_000)
    .optional(),
  locale: z
    .string()
    .regex(/^(?:en|it)(-[A-Za-z0-9]{2,8})*$/, { error: 'a language of messages: en or it, also with a region' })
    .optional()
    .describe('language of messages: English or Italian'),
  timezone: timezone.nullable().optional(),
  preferences: z.record(text(64, 1), z.union([text(1_000), z.number(), z.boolean(), z.null()])).optional(),
  password: z
    .string()
    .max(1_000)
    .optional()
    .describe('without it the user cannot log in until a password is set by recovery'),
};
export const newUser = z.object(fields);
export type NewUser = z.output<typeof newUser>;
export const userChange = z.object(fields).partial();
export type UserChange = z.output<typeof userChange>;

export const passwordChange = z.object({ currentPassword: z.string().max(1_000), newPassword: z.string().max(1_000) });
