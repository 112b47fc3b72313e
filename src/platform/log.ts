import { type DestinationStream, type Logger, pino } from 'pino';
import { type Clock, systemClock } from './clock.ts';
import { Incidents } from './incidents.ts';

export type Log = Logger;

const QUIET_MS = 30_000;
const REPEAT_MS = 600_000;
const MAX_INCIDENTS = 1_000;
const WARN = 40;

export interface LogOptions {
  readonly clock?: Pick<Clock, 'monotonic'>;
  readonly destination?: DestinationStream;
  readonly quietMs?: number;
}

/**
 * Structured log on stderr (stdout belongs to commands that answer there). Secrets are redacted by field name. A warning
 * or error that repeats is written once; its end is a line with the number of repetitions.
 */
export function createLog(name: string, level: string, options: LogOptions = {}): Log {
  const { clock = systemClock, destination = pino.destination({ dest: 2, sync: true }), quietMs = QUIET_MS } = options;
  const incidents = new Incidents({
    clock,
    quietMs,
    repeatMs: REPEAT_MS,
    maxOpen: MAX_INCIDENTS,
    onOver(signature, count, seconds) {
      const { message, ...fields } = JSON.parse(signature) as { readonly message: string };
      log.info({ ...fields, count, seconds }, `over: ${message}`);
    },
  });
  const log: Log = pino(
    {
      level,
      base: { process: name },
      redact: {
        paths: [
          'password',
          'token',
          'key',
          'secret',
          'authorization',
          '*.password',
          '*.token',
          '*.secret',
          'headers.authorization',
          'req.headers.authorization',
        ],
        censor: '[redacted]',
      },
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: {
        logMethod(args, method, at) {
          const signature = at >= WARN ? signatureOf(args) : undefined;
          const count = signature === undefined ? 1 : incidents.take(signature);
          if (count === undefined) return;
          if (count > 1) args[0] = { ...(args[0] as object), count };
          method.apply(this, args);
        },
      },
    },
    destination,
  );
  if (level !== 'silent') process.once('exit', () => incidents.close());
  return log;
}

/**
 * What makes a line a repetition of another: its text, why, and whom it is about. Undefined if it has no reason: such a
 * line tells of an event of its own.
 */
function signatureOf([fields, message]: readonly unknown[]): string | undefined {
  if (typeof fields !== 'object' || fields === null || typeof message !== 'string') return undefined;
  const { reason, err, detail, code, ...rest } = fields as Readonly<Record<string, unknown>>;
  const why = reason ?? (err instanceof Error ? err.message : err) ?? detail ?? code;
  if (why === undefined) return undefined;
  const whom = Object.fromEntries(SUBJECTS.flatMap((name) => (rest[name] === undefined ? [] : [[name, rest[name]]])));
  return JSON.stringify({ message, reason: why, ...whom });
}

/** Fields whose values are told apart. Connections, devices and requests are not: there may be thousands. */
const SUBJECTS = ['address', 'event', 'target', 'stream', 'follower', 'service', 'from', 'to'];
