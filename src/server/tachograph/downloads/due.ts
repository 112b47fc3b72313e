import { DAY_MS } from '../../../platform/durations.ts';
/** Regulation (EU) 581/2010: a card 28 days, a unit 90. */
export const CARD_DAYS = 28;
export const UNIT_DAYS = 90;
export const SOON_DAYS = 14;
/** cards are due so often that a fortnight's warning would hardly end */
export const SOON_CARD_DAYS = 7;

export type DueStatus = 'ok' | 'due_soon' | 'overdue' | 'never';

export interface Due {
  /** epoch ms */
  readonly dueAt: number | null;
  readonly status: DueStatus;
  /** negative: days overdue */
  readonly daysLeft: number | null;
}

/** @param downloadedAt epoch ms */
export function dueOf(downloadedAt: number | null, days: typeof CARD_DAYS | typeof UNIT_DAYS, now: number): Due {
  if (downloadedAt === null) return { dueAt: null, status: 'never', daysLeft: null };
  const dueAt = downloadedAt + days * DAY_MS;
  const soon = (days === CARD_DAYS ? SOON_CARD_DAYS : SOON_DAYS) * DAY_MS;
  const status = now > dueAt ? 'overdue' : now > dueAt - soon ? 'due_soon' : 'ok';
  return { dueAt, status, daysLeft: Math.floor((dueAt - now) / DAY_MS) };
}
