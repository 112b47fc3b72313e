import { isFinal } from '../contract/command.ts';
import type { GatewayEvent } from '../contract/events.ts';
import { type Command, isInFlight } from './command.ts';

type AnswerEvent = Extract<GatewayEvent, { type: 'answer' }>;

/**
 * The command that an answer belongs to, if any. By ticket if it has one; otherwise the command in flight on that
 * connection, or, for a late answer, the last one sent on it. `commands` may be in any order.
 */
export function matchAnswer(event: AnswerEvent, commands: Iterable<Command>): Command | undefined {
  const list = [...commands];
  if (event.ticket !== undefined) return newest(list.filter((c) => String(c.ticket) === event.ticket && mayAnswer(c)));
  const onConnection = list.filter((c) => c.conn === event.conn);
  // The gateway reports `sent` before it writes: what is not known to be sent has not caused this answer.
  const open = onConnection.find((c) => c.state === 'sent');
  if (open !== undefined) return open;
  // Whatever was sent last on the connection: if that has its answer already, this one belongs to no command.
  const last = newest(onConnection.filter((c) => c.sentAt !== null));
  return last !== undefined && mayAnswer(last) && last.answer === null ? last : undefined;
}

/** Sent, and not answered yet. What has gone back to pending may still be answered by its first try. */
const mayAnswer = (command: Command): boolean =>
  isInFlight(command) || (isFinal(command.state) && command.state !== 'acknowledged' && command.sentAt !== null);

const newest = (commands: readonly Command[]): Command | undefined =>
  commands.reduce<Command | undefined>(
    (best, c) => (best === undefined || (c.sentAt ?? 0) > (best.sentAt ?? 0) ? c : best),
    undefined,
  );
