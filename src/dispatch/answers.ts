import { isFinal } from '../contract/command.ts';
import type { GatewayEvent } from '../contract/events.ts';
import { type Command, isInFlight } from './command.ts';

type AnswerEvent = Extract<GatewayEvent, { type: 'answer' }>;

/**
 * The command that an answer belongs to, or none. By ticket always; in order, to what is in flight on that connection,
 * or, late, to what was sent last on it. A device's commands come in any order.
 */
export function matchAnswer(event: AnswerEvent, commands: Iterable<Command>): Command | undefined {
  const list = [...commands];
  if (event.ticket !== undefined) return newest(list.filter((c) => String(c.ticket) === event.ticket && mayAnswer(c)));
  const onLine = list.filter((c) => c.conn === event.conn);
  const open = onLine.find(isInFlight);
  if (open !== undefined) return open;
  // Whatever was sent last on the connection: if that has its answer already, this one is nobody's.
  const last = newest(onLine.filter((c) => c.sentAt !== null));
  return last !== undefined && mayAnswer(last) ? last : undefined;
}

/** Sent, and not answered yet. What has gone back to pending may still be answered by its first try. */
const mayAnswer = (command: Command): boolean =>
  isInFlight(command) || (isFinal(command.state) && command.state !== 'acknowledged' && command.sentAt !== null);

const newest = (commands: readonly Command[]): Command | undefined =>
  commands.reduce<Command | undefined>(
    (best, c) => (best === undefined || (c.sentAt ?? 0) > (best.sentAt ?? 0) ? c : best),
    undefined,
  );
