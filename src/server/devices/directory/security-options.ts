import { z } from 'zod';
import { isNetworkList } from '../../../platform/network-list.ts';

/** Device options that restrict who can use a device id. */
export const securityOptions = z.strictObject({
  networks: z
    .string()
    .max(1_000)
    .refine(isNetworkList, 'must be addresses and networks such as 10.0.0.0/8, comma-separated')
    .optional()
    .describe('networks that the device may connect from; empty: all'),
  takeover: z.enum(['newest', 'oldest', 'same-network']).optional().describe('what a second connection gets'),
  pinProtocol: z.boolean().optional().describe('the device keeps the protocol of its first session'),
  loginPassword: z.string().max(64).optional().describe('password that the login must contain'),
  requireCertificate: z.boolean().optional().describe('the device must present a TLS certificate'),
});
