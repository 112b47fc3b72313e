import type { GatewayEvent } from '../../../contract/events.ts';
import { type Command, isInFlight, isOn } from './command.ts';

type AnswerEvent = Extract<GatewayEvent, { type: 'answer' }>;

/**
 * The command of an answer, if any: by ticket if the answer has one; otherwise the command in flight on that
 * connection, or, for a late answer, the last command that was sent on it. `commands` may be in any order.
 */
export function matchAnswer(gateway: string, event: AnswerEvent, commands: Iterable<Command>): Command | undefined {
  const list = [...commands];
  if (event.ticket !== undefined) return newest(list.filter((c) => String(c.ticket) === event.ticket && mayAnswer(c)));
  // the gateway reports `sent` before it writes, so that a command in `sending` cannot have caused this answer
  const sent = list.filter((c) => isOn(c, gateway, event.conn) && c.sentAt !== null && c.state !== 'sending');
  // The last command on the connection. If it already has its answer, this answer belongs to no command.
  const last = sent.find(({ state }) => state === 'sent') ?? newest(sent);
  return last !== undefined && mayAnswer(last) && last.answer === null ? last : undefined;
}

/** Sent and not acknowledged. The first attempt of a command that is pending again may still be answered. */
const mayAnswer = (command: Command): boolean =>
  isInFlight(command) || (command.state !== 'acknowledged' && command.sentAt !== null);

const newest = (commands: readonly Command[]): Command | undefined =>
  commands.reduce<Command | undefined>(
    (best, c) => (best === undefined || (c.sentAt ?? 0) > (best.sentAt ?? 0) ? c : best),
    undefined,
  );
