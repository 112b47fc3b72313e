import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Structured log on stderr (stdout belongs to commands that answer there). Secrets are redacted by field name. */
export function createLog(process: string, level: string): Log {
  return pino(
    {
      level,
      base: { process },
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
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
