import { isFinal } from '../../../contract/command.ts';
import type { GatewayEvent } from '../../../contract/events.ts';
import { allSent, type Queryable } from '../../database/index.ts';
import { matchAnswer } from './answers.ts';
import { type Change, change, type HistoryEntry, type StateEvent } from './change.ts';
import { type Command, isInFlight, isOn } from './command.ts';
import { addCallbacks } from './hooks/store.ts';
import type { EventType } from './state-machine.ts';
import * as store from './store.ts';

export type CommandEvent = Extract<
  GatewayEvent,
  {
    type: 'sent' | 'taken' | 'not-sent' | 'answer' | 'session-opened' | 'session-closed' | 'gateway-started';
  }
>;

/** An event of a gateway about commands, with its device. */
export interface DeviceEvent {
  readonly event: CommandEvent;
  /** undefined for events of the gateway itself */
  readonly deviceId: number | undefined;
}

/** How answers of a protocol are matched to commands, by codec name. */
export type Correlation = (protocol: string | null) => 'ticket' | 'in-order' | 'none';

/** Properties of protocols that dispatch uses, by codec name; `null` for an unknown protocol. */
export interface ProtocolKnowledge {
  readonly correlation: Correlation;
  /** True for a command that ends the session of the device that executes it: restart, firmware update, factory reset. */
  endsSession(protocol: string | null, command: Pick<Command, 'type' | 'params'>): boolean;
}

/** A command before and after one transaction. */
export interface Step {
  readonly before: Command;
  readonly after: Command;
}

/** Types of events for `applyEvents`. */
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
 * Loads and locks the commands that a gateway's events may concern, in the transaction that stores the events, so that
 * each change is reported once. `touched`: devices whose sessions the transaction will write, locked in the same order.
 */
export async function openUnitOfWork(
  tx: Queryable,
  gateway: string,
  events: readonly DeviceEvent[],
  {
    now,
    protocols,
    touched = [],
  }: { now: number; protocols: ProtocolKnowledge; touched?: Iterable<number> | undefined },
): Promise<UnitOfWork> {
  const unit = new UnitOfWork(now, protocols);
  const own = events.flatMap(({ deviceId }) => (deviceId === undefined ? [] : [deviceId]));
  const devices = [...new Set([...own, ...touched])].sort((a, b) => a - b);
  if (devices.length > 0) {
    const ids = new Set(events.flatMap(({ event }) => ('commandId' in event ? [event.commandId] : [])));
    unit.add(await store.lockConcerned(tx, devices, [...ids]));
    const late = devicesOfLateAnswers(unit, gateway, events);
    if (late.length > 0) unit.add(await store.lockRecentlySent(tx, late));
  }
  for (const { event } of events) {
    if (event.type !== 'gateway-started') continue;
    unit.add(await store.lockOrphans(tx, gateway, event.life));
  }
  return unit;
}

/**
 * Closes sessions of earlier runs of the gateway before anything is claimed. Called after the batch has written
 * sessions, since it may have opened some of them.
 */
export async function closeOldSessions(tx: Queryable, gateway: string, events: readonly DeviceEvent[]): Promise<void> {
  const event = events.findLast((entry) => entry.event.type === 'gateway-started')?.event;
  if (event?.type === 'gateway-started') await store.closeOldSessions(tx, gateway, event.life);
}

/** Devices with a late answer: no command in flight, and none that the batch reports as written before it, has caused it. */
function devicesOfLateAnswers(unit: UnitOfWork, gateway: string, events: readonly DeviceEvent[]): readonly number[] {
  const late = new Set<number>();
  const written = new Set<string>();
  for (const { event, deviceId } of events) {
    if (deviceId === undefined) continue;
    if (event.type === 'sent' && unit.isDelivery(deviceId, gateway, event)) written.add(event.commandId);
    else if (
      event.type === 'answer' &&
      event.namesOther !== true &&
      !unit.isAnsweredBy(deviceId, gateway, event, written)
    )
      late.add(deviceId);
  }
  return [...late];
}

/** Applies events of a gateway to their commands, in order. */
export function applyEvents(unit: UnitOfWork, gateway: string, events: readonly DeviceEvent[]): void {
  for (const entry of events) applyEvent(unit, gateway, entry);
}

function applyEvent(unit: UnitOfWork, gateway: string, { event, deviceId }: DeviceEvent): void {
  if (event.type === 'gateway-started') {
    for (const command of unit.inFlight()) {
      if (command.gateway !== gateway || command.conn?.startsWith(`${event.life}.`)) continue;
      unit.apply(command, { ...by(gateway, event.at, 'gateway-restarted'), type: 'session-ended' });
    }
    return;
  }
  if (deviceId === undefined) return;
  switch (event.type) {
    case 'sent':
    case 'taken':
    case 'not-sent':
      applyReport(unit, gateway, event, deviceId);
      return;
    case 'answer':
      applyAnswer(unit, gateway, event, deviceId);
      return;
    case 'session-opened':
      unit.free.add(deviceId);
      // The events of the other gateway may not have been applied: it may still report what it wrote.
      endOther(unit, gateway, event, deviceId);
      return;
    case 'session-closed':
      for (const command of unit.inFlightOf(deviceId)) {
        if (!isOn(command, gateway, event.conn)) continue;
        const stateEvent = { ...by(gateway, event.at, 'session-ended'), isConnectionClosed: true } as const;
        unit.apply(command, { ...stateEvent, type: 'session-ended' });
      }
  }
}

function applyReport(
  unit: UnitOfWork,
  gateway: string,
  event: Extract<CommandEvent, { type: 'sent' | 'taken' | 'not-sent' }>,
  deviceId: number,
): void {
  const command = unit.get(event.commandId);
  if (command === undefined || command.deviceId !== deviceId) return;
  if (!unit.isDelivery(deviceId, gateway, event)) {
    // Dispatch has given up this delivery: an answer to it belongs to no command in flight.
    if (event.type === 'sent') unit.hold(command, gateway, event.conn);
    else if (event.type === 'not-sent') unit.release(deviceId, gateway, event.conn);
    return;
  }
  if (event.type === 'sent') {
    unit.apply(command, { ...by(gateway, event.at, 'written'), type: 'written' });
  } else if (event.type === 'taken') {
    if (command.state !== 'sent') return;
    const stateEvent = { ...by(gateway, event.at, 'taken-by-transport'), ackBy: 'transport' } as const;
    unit.apply(command, { ...stateEvent, type: 'answer' });
  } else if (command.state === 'sending') {
    const reason = event.permanent ? 'unsupported-by-protocol' : 'not-sent';
    const eventType = event.permanent ? 'refused' : 'not-sent';
    unit.apply(command, { ...by(gateway, event.at, reason), type: eventType, detail: event.reason });
  }
}

function applyAnswer(
  unit: UnitOfWork,
  gateway: string,
  event: Extract<CommandEvent, { type: 'answer' }>,
  deviceId: number,
): void {
  // the answer of the command that was written will follow
  if (event.namesOther === true) return;
  unit.release(deviceId, gateway, event.conn);
  unit.free.add(deviceId);
  const command = matchAnswer(gateway, event, unit.of(deviceId));
  if (command === undefined) return;
  const bytes = event.bytes === undefined ? undefined : Buffer.from(event.bytes, 'base64').toString('hex');
  const text = event.text ?? bytes ?? '';
  const isHex = event.text === undefined && bytes !== undefined;
  const eventType = event.outcome === 'done' ? 'answer' : 'refused';
  const reason = eventType === 'answer' ? 'answered' : 'refused-by-device';
  unit.apply(command, { ...by(`device via ${gateway}`, event.at, reason), type: eventType, answer: { text, isHex } });
}

function endOther(
  unit: UnitOfWork,
  gateway: string,
  event: Extract<CommandEvent, { type: 'session-opened' }>,
  deviceId: number,
): void {
  for (const command of unit.inFlightOf(deviceId)) {
    if (isOn(command, gateway, event.conn)) continue;
    const isStreamApplied = command.gateway === gateway;
    unit.apply(command, {
      ...by(gateway, event.at, 'device-came-back-elsewhere'),
      type: 'session-ended',
      isStreamApplied,
      isConnectionClosed: true,
    });
  }
}

const by = (actor: string, at: number, reason: string): Pick<StateEvent, 'actor' | 'at' | 'reason'> => ({
  actor,
  at,
  reason,
});

/** Events after which no answer of the device will follow. */
const SETTLING: ReadonlySet<EventType> = new Set<EventType>(['answer', 'refused', 'not-sent']);
/** Events whose outcome depends on whether the command ends the session. */
const CLOSING: ReadonlySet<EventType> = new Set<EventType>(['late', 'session-ended']);

/** The commands of one transaction, before and after. */
export class UnitOfWork {
  readonly free = new Set<number>();
  readonly #now: number;
  readonly #protocols: ProtocolKnowledge;
  readonly #holds = new Map<string, store.ConnectionHold>();
  readonly #first = new Map<string, Command>();
  readonly #commands = new Map<string, Command>();
  readonly #ofDevice = new Map<number, string[]>();
  readonly #history: HistoryEntry[] = [];

  constructor(now: number, protocols: ProtocolKnowledge) {
    this.#now = now;
    this.#protocols = protocols;
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

  /** Whether the event reports the newest delivery of the command in flight, and not one that was given up. */
  isDelivery(
    deviceId: number,
    gateway: string,
    event: Extract<CommandEvent, { type: 'sent' | 'taken' | 'not-sent' }>,
  ): boolean {
    const command = this.get(event.commandId);
    if (command === undefined || command.deviceId !== deviceId || !isInFlight(command)) return false;
    return command.deliveries === event.attempt && isOn(command, gateway, event.conn);
  }

  /** `written`: commands that were written by earlier events of the batch, which have not been applied yet. */
  isAnsweredBy(
    deviceId: number,
    gateway: string,
    event: Extract<CommandEvent, { type: 'answer' }>,
    written: ReadonlySet<string>,
  ): boolean {
    return this.inFlightOf(deviceId).some((command) =>
      event.ticket === undefined
        ? isOn(command, gateway, event.conn) && (command.state === 'sent' || written.has(command.id))
        : String(command.ticket) === event.ticket,
    );
  }

  apply(command: Command, stateEvent: StateEvent): Change {
    const endsSession = CLOSING.has(stateEvent.type) && this.#protocols.endsSession(command.protocol, command);
    const result = change(command, stateEvent, this.#now, endsSession);
    if (isInFlight(command) && !isInFlight(result.command) && !SETTLING.has(stateEvent.type)) {
      this.hold(command, command.gateway, command.conn);
    }
    this.#commands.set(command.id, result.command);
    if (result.history !== undefined) this.#history.push(result.history);
    if (result.command !== command && result.command.state !== 'sent') this.free.add(command.deviceId);
    return result;
  }

  /**
   * Holds the connection: the device may still answer. With answers in order, the next command is sent after that
   * answer, which would otherwise be taken for its own.
   */
  hold({ deviceId, protocol, answerMs }: Command, gateway: string | null, conn: string | null): void {
    if (gateway === null || conn === null || this.#protocols.correlation(protocol) !== 'in-order') return;
    this.#holds.set(`${deviceId}/${gateway}/${conn}`, { deviceId, gateway, conn, isHeld: true, answerMs });
  }

  release(deviceId: number, gateway: string, conn: string): void {
    this.#holds.set(`${deviceId}/${gateway}/${conn}`, { deviceId, gateway, conn, isHeld: false, answerMs: 0 });
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

  /** Re-armed commands. */
  rearmed(): Command[] {
    return this.changed().filter((command) => !isFinal(command.state) && isFinal(this.#first.get(command.id)!.state));
  }

  /**
   * Writes the changed commands, and claims for devices that are free, through these gateways. The job queue is
   * notified of those that ended and of those that were rearmed.
   */
  async save(tx: Queryable, gateways: readonly string[] = []): Promise<store.ClaimedCommand[]> {
    const changed = this.changed();
    const published = changed.filter((c) => isFinal(c.state) || isFinal(this.#first.get(c.id)!.state));
    const withCallback = changed.filter((c) => c.callbackUrl !== null && isFinal(c.state));
    const written = changed.filter((c) => c.state === 'sent' || this.#first.get(c.id)!.state === 'sent');
    const saved = store.saveCommands(tx, {
      commands: changed,
      history: this.#history,
      published: published.map((c) => c.id),
      holds: [...this.#holds.values()],
      written: written.map((c) => c.deviceId),
      free: [...this.free],
      gateways,
    });
    const callbacks = addCallbacks(
      tx,
      withCallback.map((c) => c.id),
    );
    await allSent([saved, callbacks]);
    return saved;
  }
}
