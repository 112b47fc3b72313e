import { z } from 'zod';
import { isNetworkList } from '../platform/network-list.ts';
import { count, flag, list } from '../platform/setting-types.ts';

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
  SESSION_QUERY_TIMEOUT_MS: count
    .min(100)
    .max(60_000)
    .default(2_000)
    .describe(
      'time that a login waits for the API to say whether the device has a session on another gateway, ms; without an answer it is admitted as if it had none',
    ),
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
  UNADMITTED_FRAMES: count
    .max(1_000)
    .default(500)
    .describe('frames of connections without an admitted device that a gateway keeps in memory as a sample; 0: none'),
  UNADMITTED_FRAMES_PER_ADDRESS: count.max(1_000).default(5).describe('frames of one IP address in this sample'),
};

/** Limits of device connections. */
export const connectionSettings = {
  MAX_CONNECTIONS: count.min(1).default(100_000).describe('maximum number of device connections'),
  MAX_UNIDENTIFIED_PER_ADDRESS: count
    .min(1)
    .default(1_000)
    .describe('maximum number of connections per IP address that have not identified their device yet'),
  IDENTIFY_TIMEOUT_S: count.min(1).default(30).describe('time in which a connection must identify its device, s'),
  IDLE_TIMEOUT_S: count
    .min(1)
    .default(1_800)
    .describe('time without received bytes after which a connection is closed, s'),
  UDP_ONLINE_S: count.min(1).default(120).describe('time that a device counts as online after a datagram, s'),
  FRAMES_PER_SLICE: count
    .min(1)
    .default(256)
    .describe('number of frames of one connection that are processed before the others are served'),
  MAX_JUNK_BYTES: count
    .min(1_024)
    .default(65_536)
    .describe('number of consecutive bytes outside of any frame after which a connection is closed'),
  LENIENT_CHECKSUM: list.describe(
    'services that accept frames with wrong checksums (clone devices), comma-separated; `all`',
  ),
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
