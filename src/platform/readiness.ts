import { within } from './deadline.ts';

/** A condition of a process. Those that are required decide whether it is ready; others say what is degraded. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** false: the process goes on without it; `refused` says what it does not do meanwhile */
  readonly required?: boolean;
  /** reason if not ok */
  readonly detail?: string;
  /** what is refused or delayed while it is not ok */
  readonly refused?: string;
  /** RFC 3339: when it was first asked and not ok */
  readonly since?: string;
}

export interface Readiness {
  /** `degraded`: traffic is served, and a check that is not required fails */
  readonly status: 'ready' | 'degraded' | 'not-ready';
  readonly checks: readonly Check[];
}

export const isRequired = ({ required }: Check): boolean => required !== false;

/** Adds to failed checks since when they fail, as far as they were asked. */
export function createMemory(now: () => number): (checks: readonly Check[]) => readonly Check[] {
  let failing = new Map<string, string>();
  return (checks) => {
    const before = failing;
    failing = new Map();
    return checks.map((check) => {
      if (check.ok) return check;
      const since = check.since ?? before.get(check.name) ?? new Date(now()).toISOString();
      failing.set(check.name, since);
      return { ...check, since };
    });
  };
}

/** Body of /readyz; its status code is 503 if `not-ready`. */
export function readinessOf(checks: readonly Check[]): Readiness {
  const failed = checks.filter(({ ok }) => !ok);
  if (failed.length === 0) return { status: 'ready', checks };
  return { status: failed.some(isRequired) ? 'not-ready' : 'degraded', checks };
}

/** The check, failed if there is a reason. */
export function checkOf({ refused, ...check }: Omit<Check, 'ok' | 'detail'>, reason: string | undefined): Check {
  if (reason === undefined) return { ...check, ok: true };
  return { ...check, ok: false, detail: reason, ...(refused !== undefined && { refused }) };
}

/** The check, failed if `test` rejects or does not end within `timeoutMs`. */
export const checked = (
  check: Omit<Check, 'ok' | 'detail'>,
  test: () => Promise<unknown>,
  timeoutMs: number,
): Promise<Check> =>
  within(test(), timeoutMs).then(
    () => checkOf(check, undefined),
    (error: Error) => checkOf(check, error.message),
  );
