import { isIP } from 'node:net';
import { z } from 'zod';
import { count, text } from '../../../platform/setting-types.ts';

const PROXY_NAMES = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** An address, a network (`10.0.0.0/8`) or a name of networks. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0) return PROXY_NAMES.has(text);
  return (
    rest.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  );
}

/** What Fastify takes: a number of proxies, or their addresses. A number counts from this server, so headers cannot lie. */
const trustedProxies = z.string().transform((text, context): number | readonly string[] | false => {
  if (/^(true|on|yes)$/.test(text)) return 1;
  if (/^(false|off|no|0)$/.test(text)) return false;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const networks = text.split(',').map((network) => network.trim());
  if (networks.every(isNetwork)) return networks;
  context.addIssue({ code: 'custom', message: 'must be addresses, networks or a number of proxies' });
  return z.NEVER;
});

/** Proxies, rate limit and timeout of the REST API. */
export const httpSettings = {
  TRUST_PROXY: trustedProxies
    .default(false)
    .describe(
      'proxies in front of the REST API whose X-Forwarded headers are used: their addresses or networks, comma-separated, or the number of proxies in a row; `true` is a deprecated name of 1',
    ),
  RATE_LIMIT: count.default(600).describe('requests per minute and credential; 0: no limit'),
  REQUEST_TIMEOUT_S: count
    .min(1)
    .default(30)
    .describe('time in which an HTTP request must be received, head and body, on device ports and by the REST API, s'),
};

/** TLS of the REST API and the console; gateways connect to it too. */
export const httpsSettings = {
  API_TLS_CERT: text
    .optional()
    .describe(
      'file with the certificate chain of the REST API and the console (PEM); with it they are served over HTTPS only. Replaced files are read again within 5 seconds',
    ),
  API_TLS_KEY: text.optional().describe('file with the private key of API_TLS_CERT (PEM)'),
  API_CA: text
    .optional()
    .describe(
      'file with the certificate authorities that a gateway trusts for API_URL, or the certificate of the API itself (PEM); without it those of Node.js',
    ),
  API_SERVER_NAME: text
    .optional()
    .describe('name that the certificate of API_URL must contain, if it is not the host of API_URL'),
};

export function httpsProblems(settings: {
  readonly API_TLS_CERT?: string | undefined;
  readonly API_TLS_KEY?: string | undefined;
}): string[] {
  const isWhole = (settings.API_TLS_CERT === undefined) === (settings.API_TLS_KEY === undefined);
  return isWhole ? [] : ['API_TLS_CERT, API_TLS_KEY: must be set together'];
}
