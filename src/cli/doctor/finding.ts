/** Result of a check. `advice` says how to fix it. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly text: string;
  readonly advice?: string;
}

export const ok = (text: string): Finding => ({ level: 'ok', text });
export const warn = (text: string, advice: string): Finding => ({ level: 'warn', text, advice });
export const fail = (text: string, advice: string): Finding => ({ level: 'fail', text, advice });

/** The message of whatever was thrown; several addresses tried give an error without one of its own. */
export function reason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reason(error.errors[0]);
  return error instanceof Error ? error.message || error.name : String(error);
}
