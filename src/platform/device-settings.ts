import { z } from 'zod';

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
