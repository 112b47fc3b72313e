import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { securityOptions } from '../../devices/directory/index.ts';
import { member, page, text, textLike } from '../../kernel/http/index.ts';
import { newUser, timezone } from '../users/index.ts';

const tenantDeviceOptions = securityOptions.omit({ loginPassword: true });

export const tenantName = z
  .string()
  .regex(/^[a-z0-9-]{1,63}$/, { error: '1 to 63 of a-z, 0-9 and -' })
  .meta({ example: 'rossi' });

export const tenant = z
  .object({
    name: tenantName.describe('as in log-ins; it cannot be changed'),
    title: textLike('Rossi Trasporti').nullable(),
    timezone: member.timezone,
    partners: z.array(z.string()).describe('partners that the tenant may share vehicles with'),
    deviceOptions: tenantDeviceOptions.describe('default for devices without such an option'),
    active: z.boolean().describe('false: its credentials are rejected; what its devices send is stored'),
    users: z.number().int(),
    vehicles: z.number().int(),
    devices: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Tenant' });
export type Tenant = z.output<typeof tenant>;

const fields = {
  title: text(200, 0, 'Rossi Trasporti').nullable().optional(),
  timezone: timezone.optional(),
  deviceOptions: tenantDeviceOptions.optional().describe('replaces all of them'),
  partners: z
    .array(z.enum(['qora']))
    .max(10)
    .optional(),
};

export const newTenant = z.object({
  name: tenantName,
  ...fields,
  admin: newUser
    .pick({ username: true, name: true, email: true, password: true })
    .optional()
    .describe('its first administrator'),
});
export type NewTenant = z.output<typeof newTenant>;

export const tenantChange = z.object({ ...fields, active: z.boolean().optional() });
export type TenantChange = z.output<typeof tenantChange>;

export const tenantsQuery = z.object({ ...page });
export const tenantParameter = z.object({ tenant: tenantName });
export const removedTenant = z.object({ message: member.message, name: tenantName });
