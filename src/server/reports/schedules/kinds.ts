import type { Scope } from '../../kernel/access/index.ts';

/** What reports contain, with the permissions that their owner needs. */
export const REPORT_SCOPES = {
  trips: ['routes:read', 'vehicles:read'],
  fuel: ['vehicles:read'],
  infringements: ['ddd:read'],
  'download-deadlines': ['ddd:read', 'drivers:read'],
} as const satisfies Readonly<Record<string, readonly Scope[]>>;
export type ReportKind = keyof typeof REPORT_SCOPES;
