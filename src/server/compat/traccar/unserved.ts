import type { FastifyRequest } from 'fastify';

/** Parts of Traccar's interface without a counterpart: path prefix and reason. */
const REASONS: readonly (readonly [path: RegExp, why: string])[] = [
  [/^\/server/, 'the server is set up by its settings, and has none that clients change'],
  [/^\/session\/openid/, 'single sign-on is that of the console'],
  [/^\/session\/\d/, 'nobody logs in as another user'],
  [/^\/devices\/.*\/accumulators/, 'distance and hours are those that the device reports'],
  [/^\/devices\/.*\/image/, 'devices have no images'],
  [/^\/users\/totp/, 'one-time passwords are set up in the console'],
  [/^\/password/, 'passwords are recovered on the log-in page of the console'],
  [/^\/positions/, 'positions are removed when their retention ends'],
  [/^\/notifications/, 'messages are sent by rules alone'],
  [/^\/audit/, 'the audit trail has other actions than those of Traccar, and is read by the API'],
  [/^\/share/, 'links for sharing are made in the console'],
  [/^\/stream/, 'there is no video'],
];

const UNKNOWN = 'it is not part of the interface that Traccar documents';

/** Why nothing answers a request, `url` after the prefix of these routes. */
export function whyUnserved({ method, url }: FastifyRequest, prefix: string): string {
  const path = url.split('?', 1)[0]!;
  const own = path.slice(prefix.length);
  const why = REASONS.find(([pattern]) => pattern.test(own))?.[1] ?? UNKNOWN;
  return `${method} ${path} of Traccar has no counterpart here: ${why}`;
}
