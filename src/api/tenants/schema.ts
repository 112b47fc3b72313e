import { z } from 'zod';
import { instant } from '../../contract/position.ts';
import { securityOptions } from '../device-directory/index.ts';
import { page, text } from '../http/index.ts';
import { newUser, timezone } from '../users/index.ts';

const tenantDeviceOptions = securityOptions.omit({ loginPassword: true });

export const tenantName = z.string().regex(/^[a-z0-9-]{1,63}$/, { error: '1 to 63 of a-z, 0-9 and -' });

export const tenant = z
  .object({
    name: tenantName.describe('as in log-ins; it cannot be changed'),
    title: z.string().nullable(),
    timezone: z.string(),
    partners: z.array(z.string()).describe('partners that the tenant may share vehicles with'),
    deviceOptions: tenantDeviceOptions.describe('of its devices that have no such option themselves'),
    active: z.boolean().describe('false: none of its credentials is taken; what its devices send is kept'),
    users: z.number().int(),
    vehicles: z.number().int(),
    devices: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Tenant' });
export type Tenant = z.output<typeof tenant>;

const fields = {
  title: text(200).nullable().optional(),
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
export const removedTenant = z.object({ message: z.string(), name: tenantName });
