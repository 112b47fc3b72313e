import { isFinal } from '../contract/command.ts';
import type { GatewayEvent } from '../contract/events.ts';
import { allSent, type Queryable } from '../platform/postgres/index.ts';
import { matchAnswer } from './answers.ts';
import { type Change, change, type HistoryEntry, type Occurrence } from './change.ts';
import { type Command, isInFlight } from './command.ts';
import { addCallbacks } from './hooks/store.ts';
import * as store from './store.ts';

export type CommandEvent = Extract<
  GatewayEvent,
  {
    type: 'sent' | 'taken' | 'not-sent' | 'answer' | 'session-opened' | 'session-closed' | 'gateway-started';
  }
>;

/** A gateway's event about commands, with the device that it is of. */
export interface DeviceEvent {
  readonly event: CommandEvent;
  /** absent where the event is of the gateway itself */
  readonly deviceId: number | undefined;
}

/** How answers of a protocol find their command; by codec name. */
export type Correlation = (protocol: string | null) => 'ticket' | 'in-order' | 'none';

/** What became of a command in one transaction. */
export interface Step {
  readonly before: Command;
  readonly after: Command;
}

/** Kinds of events that `applyEvents` is to be given. */
export const commandEventTypes: ReadonlySet<string> = new Set<CommandEvent['type']>([
  'sent',
  'taken',
  'not-sent',
  'answer',
  'session-opened',
  'session-closed',
  'gateway-started',
]);

/**
 * Loads what a gateway's events may be about, locked, within the transaction that stores the events: what is applied
 * once is told once. `touched`: devices whose sessions the transaction will write, locked in the same order.
 */
export async function openBook(
  tx: Queryable,
  gateway: string,
  events: readonly DeviceEvent[],
  now: number,
  touched: Iterable<number> = [],
): Promise<Book> {
  const book = new Book(now);
  const own = events.flatMap(({ deviceId }) => (deviceId === undefined ? [] : [deviceId]));
  const devices = [...new Set([...own, ...touched])].sort((a, b) => a - b);
  if (devices.length > 0) {
    const ids = new Set(events.flatMap(({ event }) => ('commandId' in event ? [event.commandId] : [])));
    book.add(await store.lockConcerned(tx, devices, [...ids]));
    const answering = events.flatMap(({ event, deviceId }) =>
      event.type === 'answer' && deviceId !== undefined && !book.isAnsweredBy(deviceId, event) ? [deviceId] : [],
    );
    if (answering.length > 0) book.add(await store.lockRecentlySent(tx, [...new Set(answering)]));
  }
  for (const { event } of events) {
    if (event.type !== 'gateway-started') continue;
    await store.closeOldSessions(tx, gateway, event.life);
    book.add(await store.lockOrphans(tx, gateway, event.life));
  }
  return book;
}

/** Applies a gateway's events, in their order, to the commands that they are about. */
export function applyEvents(book: Book, gateway: string, events: readonly DeviceEvent[]): void {
  for (const entry of events) applyEvent(book, gateway, entry);
}

function applyEvent(book: Book, gateway: string, { event, deviceId }: DeviceEvent): void {
  if (event.type === 'gateway-started') {
    for (const command of book.inFlight()) {
      if (command.gateway !== gateway || command.conn?.startsWith(`${event.life}.`)) continue;
      book.apply(command, { ...said(gateway, event.at, 'gateway-restarted'), happening: 'session-ended' });
    }
    return;
  }
  if (deviceId === undefined) return;
  switch (event.type) {
    case 'sent':
    case 'taken':
    case 'not-sent':
      applyReport(book, gateway, event);
      return;
    case 'answer':
      applyAnswer(book, gateway, event, deviceId);
      return;
    case 'session-opened':
      book.free.add(deviceId);
      // Another gateway's line may still tell what it wrote: its stream is not known to be applied.
      endOther(book, gateway, event, deviceId);
      return;
    case 'session-closed':
      for (const command of book.inFlightOf(deviceId)) {
        if (command.gateway !== gateway || command.conn !== event.conn) continue;
        book.apply(command, { ...said(gateway, event.at, 'session-ended'), happening: 'session-ended' });
      }
  }
}

function applyReport(
  book: Book,
  gateway: string,
  event: Extract<CommandEvent, { type: 'sent' | 'taken' | 'not-sent' }>,
): void {
  const command = book.get(event.commandId);
  if (command === undefined || command.attempts !== event.attempt || command.conn !== event.conn) return;
  if (event.type === 'sent') {
    book.apply(command, { ...said(gateway, event.at, 'written'), happening: 'written' });
  } else if (event.type === 'taken') {
    if (command.state !== 'sent') return;
    const occurrence = { ...said(gateway, event.at, 'taken-by-transport'), ackBy: 'transport' } as const;
    book.apply(command, { ...occurrence, happening: 'answer' });
  } else if (command.state === 'sending') {
    const reason = event.permanent ? 'unsupported-by-protocol' : 'not-sent';
    const happening = event.permanent ? 'refused' : 'not-sent';
    book.apply(command, { ...said(gateway, event.at, reason), happening, detail: event.reason });
  }
}

function applyAnswer(
  book: Book,
  gateway: string,
  event: Extract<CommandEvent, { type: 'answer' }>,
  deviceId: number,
): void {
  book.answered.add(deviceId);
  book.free.add(deviceId);
  const command = matchAnswer(event, book.of(deviceId));
  if (command === undefined) return;
  const bytes = event.bytes === undefined ? undefined : Buffer.from(event.bytes, 'base64').toString('hex');
  const text = event.text ?? bytes ?? '';
  const isHex = event.text === undefined && bytes !== undefined;
  const happening = event.outcome === 'done' ? 'answer' : 'refused';
  const reason = happening === 'answer' ? 'answered' : 'refused-by-device';
  book.apply(command, { ...said(`device via ${gateway}`, event.at, reason), happening, answer: { text, isHex } });
}

function endOther(
  book: Book,
  gateway: string,
  event: Extract<CommandEvent, { type: 'session-opened' }>,
  deviceId: number,
): void {
  for (const command of book.inFlightOf(deviceId)) {
    if (command.gateway === gateway && command.conn === event.conn) continue;
    const isStreamApplied = command.gateway === gateway;
    book.apply(command, {
      ...said(gateway, event.at, 'device-came-back-elsewhere'),
      happening: 'session-ended',
      isStreamApplied,
    });
  }
}

const said = (actor: string, at: number, reason: string): Pick<Occurrence, 'actor' | 'at' | 'reason'> => ({
  actor,
  at,
  reason,
});

/** The commands of one transaction: as they were, and as they become. */
export class Book {
  readonly free = new Set<number>();
  /** devices that have answered something: a late answer need be awaited no longer */
  readonly answered = new Set<number>();
  readonly #now: number;
  readonly #first = new Map<string, Command>();
  readonly #commands = new Map<string, Command>();
  readonly #ofDevice = new Map<number, string[]>();
  readonly #history: HistoryEntry[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  add(commands: readonly Command[]): void {
    for (const command of commands) {
      if (this.#commands.has(command.id)) continue;
      this.#first.set(command.id, command);
      this.#commands.set(command.id, command);
      const siblings = this.#ofDevice.get(command.deviceId);
      if (siblings === undefined) this.#ofDevice.set(command.deviceId, [command.id]);
      else siblings.push(command.id);
    }
  }

  has(id: string): boolean {
    return this.#commands.has(id);
  }

  get(id: string): Command | undefined {
    return this.#commands.get(id);
  }

  all(): Iterable<Command> {
    return this.#commands.values();
  }

  of(deviceId: number): Command[] {
    return (this.#ofDevice.get(deviceId) ?? []).map((id) => this.#commands.get(id)!);
  }

  inFlight(): Command[] {
    return [...this.#commands.values()].filter(isInFlight);
  }

  inFlightOf(deviceId: number): Command[] {
    return this.of(deviceId).filter(isInFlight);
  }

  isAnsweredBy(deviceId: number, event: Extract<CommandEvent, { type: 'answer' }>): boolean {
    return this.inFlightOf(deviceId).some((command) =>
      event.ticket === undefined ? command.conn === event.conn : String(command.ticket) === event.ticket,
    );
  }

  apply(command: Command, occurrence: Occurrence): Change {
    const result = change(command, occurrence, this.#now);
    this.#commands.set(command.id, result.command);
    if (result.history !== undefined) this.#history.push(result.history);
    if (result.command !== command && result.command.state !== 'sent') this.free.add(command.deviceId);
    return result;
  }

  changed(): Command[] {
    return [...this.#commands.values()].filter((command) => this.#first.get(command.id) !== command);
  }

  steps(): Step[] {
    return this.changed().map((after) => ({ before: this.#first.get(after.id)!, after }));
  }

  ended(): Command[] {
    return this.changed().filter((command) => isFinal(command.state));
  }

  /** Those that had ended and are pending again. */
  begunAnew(): Command[] {
    return this.changed().filter((command) => !isFinal(command.state) && isFinal(this.#first.get(command.id)!.state));
  }

  /**
   * Writes what has become of them, and claims for devices that are free, through these gateways. The queue hears of
   * ends, and of those that began anew.
   */
  async save(tx: Queryable, gateways: readonly string[] = []): Promise<store.ClaimedCommand[]> {
    const changed = this.changed();
    const heard = changed.filter((c) => isFinal(c.state) || isFinal(this.#first.get(c.id)!.state));
    const toTell = changed.filter((c) => c.callbackUrl !== null && isFinal(c.state));
    const written = changed.filter((c) => c.state === 'sent' || this.#first.get(c.id)!.state === 'sent');
    const saved = store.saveCommands(tx, {
      commands: changed,
      history: this.#history,
      heard: heard.map((c) => c.id),
      answered: [...this.answered],
      written: written.map((c) => c.deviceId),
      free: [...this.free],
      gateways,
    });
    const told = addCallbacks(
      tx,
      toTell.map((c) => c.id),
    );
    await allSent([saved, told]);
    return saved;
  }
}
