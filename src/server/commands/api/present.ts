import { type CommandOutcome, type CommandState, isFinal } from '../../../contract/command.ts';
import { toInstant, toInstantOrNull } from '../../kernel/http/index.ts';
import type { CommandView } from './schema.ts';
import type { CommandRow, HistoryRow } from './store.ts';

/** A command as the API presents it. */
export function present(row: CommandRow, history: readonly HistoryRow[]): CommandView {
  return {
    commandId: row.id,
    imei: row.imei,
    gprsCommand: row.type === 'custom' ? row.text : null,
    status: row.state,
    priority: row.priority,
    delivery: row.once ? 'at_most_once' : 'at_least_once',
    createdAt: toInstant(row.createdAt),
    expiresAt: toInstant(row.expiresAt),
    sentAt: toInstantOrNull(row.sentAt),
    acknowledgedAt: toInstantOrNull(row.acknowledgedAt),
    attempts: row.attempts,
    maxAttempts: row.maxAttempts,
    type: row.type,
    attributes: { ...row.params },
    conditions: row.conditions as CommandView['conditions'],
    notBefore: toInstantOrNull(row.notBefore),
    ackBy: row.ackBy,
    mayHaveExecuted: row.mayHaveExecuted,
    late: row.late,
    gatewayId: row.gateway,
    batchId: row.batchId,
    ...presentOutcome(row.state, row),
    createdBy: row.createdBy,
    history: history.map(({ at, from, to, reason, actor }) => ({ at: toInstant(at), from, to, reason, actor })),
  };
}

function errorOf(state: CommandState, { reason, detail }: CommandOutcome): string | null {
  if (!isFinal(state) || state === 'acknowledged' || reason === null) return null;
  return detail === null ? reason : `${reason}: ${detail}`;
}

/** Histories by command id, each in the order of its lines. */
export function historiesOf(lines: readonly HistoryRow[]): ReadonlyMap<string, readonly HistoryRow[]> {
  const histories = new Map<string, HistoryRow[]>();
  for (const line of lines) {
    const history = histories.get(line.commandId);
    if (history === undefined) histories.set(line.commandId, [line]);
    else history.push(line);
  }
  return histories;
}

/** Many commands with their histories. */
export function presentAll(rows: readonly CommandRow[], lines: readonly HistoryRow[]): CommandView[] {
  const histories = historiesOf(lines);
  return rows.map((row) => present(row, histories.get(row.id) ?? []));
}

const NONE: CommandOutcome = { answer: null, answerIsHex: false, reason: null, detail: null };

/** Outcome of a command: the answer of the device, or the reason of the failure. */
export const presentOutcome = (
  state: CommandState,
  outcome: CommandOutcome = NONE,
): Pick<CommandView, 'response' | 'responseEncoding' | 'error'> => ({
  response: outcome.answer,
  responseEncoding: outcome.answer === null ? null : outcome.answerIsHex ? 'hex' : 'text',
  error: errorOf(state, outcome),
});
