import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AppError, ErrorCode } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { tokenOf } from './access.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** why it was refused; set by problems, and by pages that answer in another form */
    refusal: Pick<AppError, 'code' | 'message'> | undefined;
  }
}

/** Refused credentials. A request without any is not among them: browsers begin with one. */
const CREDENTIALS: ReadonlySet<ErrorCode> = new Set([
  'invalid-credentials',
  'locked',
  'invalid-assertion',
  'invalid-client',
]);

const WINDOW_MS = 60_000;
/** Tools that block addresses count lines: so many of one address are enough for them. */
const LINES_PER_ADDRESS = 10;
const LINES = 200;

/**
 * Logs refused credentials, for tools that block addresses, and requests that could not be served. Repetitions of the
 * second are counted by the log itself (src/platform/log.ts).
 */
export function addRefusals(app: FastifyInstance, log: Log, monotonic: () => number): void {
  const refused = createLineLimit(log, monotonic);
  app.decorateRequest('refusal', undefined);
  app.addHook('onResponse', (request, reply, done) => {
    const { refusal } = request;
    if (refusal !== undefined) report(request, refusal, reply.statusCode, log, refused);
    done();
  });
}

function report(
  request: FastifyRequest,
  { code, message }: NonNullable<FastifyRequest['refusal']>,
  status: number,
  log: Log,
  refused: (address: string) => boolean,
): void {
  const { id: requestId, method, ip: address } = request;
  const where = { requestId, method, route: request.routeOptions.url };
  if (CREDENTIALS.has(code) || (code === 'unauthorized' && tokenOf(request) !== undefined)) {
    if (refused(address))
      log.warn({ event: 'credential-refused', address, refusal: code, ...where }, 'credential refused');
  } else if (status >= 500 && code !== 'internal') {
    log.warn({ reason: message, refusal: code, status, ...where }, 'requests cannot be served');
  }
}

/** Whether a line may be written about this address; those that are left out are counted in a line of their own. */
function createLineLimit(log: Log, monotonic: () => number): (address: string) => boolean {
  const lines = new Map<string, number>();
  let began = Number.NEGATIVE_INFINITY;
  let total = 0;
  let leftOut = 0;
  return (address) => {
    if (monotonic() - began >= WINDOW_MS) {
      if (leftOut > 0) log.warn({ event: 'credentials-refused', leftOut }, 'more credentials were refused');
      began = monotonic();
      total = 0;
      leftOut = 0;
      lines.clear();
    }
    const count = (lines.get(address) ?? 0) + 1;
    if (total >= LINES || count > LINES_PER_ADDRESS) {
      leftOut++;
      return false;
    }
    lines.set(address, count);
    total++;
    return true;
  };
}
