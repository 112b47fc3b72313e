import { z } from 'zod';
import { isNetworkList } from './network-list.ts';

const flag = z
  .enum(['true', 'false', '1', '0', 'on', 'off', 'yes', 'no'])
  .transform((v) => /^(true|1|on|yes)$/.test(v));
const count = z.coerce.number().int().min(0);

/** Which devices a gateway accepts, and what clients that are not admitted may use. */
export const deviceSettings = {
  TLS_REQUIRED: flag
    .default(false)
    .describe('device ports accept TLS only: plain connections are closed, and no UDP port is opened'),
  TLS_CLIENT_CA: z
    .string()
    .min(1)
    .optional()
    .describe(
      'file with the certificate authorities of devices (PEM); every TLS connection must then present a certificate with the device id in its subject (CN or serialNumber)',
    ),
  HANDSHAKE_TIMEOUT_S: count
    .min(1)
    .default(10)
    .describe('time for a PROXY protocol header, and for a TLS handshake of a device from its first byte, s'),
  REQUEST_TIMEOUT_S: count
    .min(1)
    .default(30)
    .describe('time in which an HTTP request must be received, head and body, on device ports and by the REST API, s'),
  DEVICE_NETWORKS: z
    .string()
    .default('')
    .refine(isNetworkList, 'must be addresses and networks such as 10.0.0.0/8, comma-separated')
    .describe(
      'networks that devices may connect from, comma-separated; empty: all. Device option and tenant setting: `networks`',
    ),
  DEVICE_TAKEOVER: z
    .enum(['newest', 'oldest', 'same-network'])
    .default('newest')
    .describe(
      'what a second connection with the id of an online device gets: `newest`: it replaces the first; `oldest`: it is rejected while the first answers; `same-network`: it is rejected if it comes from another network (/24 of IPv4, /64 of IPv6). Device option and tenant setting: `takeover`',
    ),
  DEVICE_TAKEOVER_SILENCE_S: count
    .default(300)
    .describe('time without received bytes after which a session no longer holds off a second connection, s'),
  PIN_PROTOCOL: flag
    .optional()
    .describe(
      'a device keeps the protocol of its first session; off by default if GATEWAY_HOST is a loopback address. Device option and tenant setting: `pinProtocol`',
    ),
  LOGIN_ATTEMPTS_PER_ADDRESS: count
    .max(10_000)
    .optional()
    .describe(
      'number of different device ids per IP address and hour whose login is rejected; further logins from the address are not answered (100; no limit if GATEWAY_HOST is a loopback address; 0: no limit)',
    ),
  DEVICES_UNSEEN_PER_TENANT: count
    .default(10_000)
    .describe(
      'registered devices of a tenant that have never sent anything; further ones are not registered, so that nobody reserves the ids of others; must be increased before the import of a larger fleet; 0: no limit',
    ),
  UNADMITTED_FRAMES: count
    .max(1_000)
    .default(500)
    .describe('frames of connections without an admitted device that a gateway keeps in memory as a sample; 0: none'),
  UNADMITTED_FRAMES_PER_ADDRESS: count.max(1_000).default(5).describe('frames of one IP address in this sample'),
};

interface DeviceSettings {
  readonly TLS_CERT?: string | undefined;
  readonly TLS_REQUIRED: boolean;
  readonly TLS_CLIENT_CA?: string | undefined;
}

export function deviceProblems(settings: DeviceSettings): string[] {
  if (settings.TLS_CERT !== undefined) return [];
  const problems: string[] = [];
  if (settings.TLS_REQUIRED) problems.push('TLS_REQUIRED: requires TLS_CERT and TLS_KEY');
  if (settings.TLS_CLIENT_CA !== undefined) problems.push('TLS_CLIENT_CA: requires TLS_CERT and TLS_KEY');
  return problems;
}
