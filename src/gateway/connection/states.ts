/**
 * The states of a connection as one table. `connection.ts` sends it events and does what the state that is entered
 * requires. Whether the socket is read depends on the state and on `back-pressure.ts`.
 */

export const connectionEvents = [
  /** the first bytes have selected a protocol */
  'identified',
  /** the frames of a slice are used up, and the driver has more */
  'slice-used',
  /** the driver has no complete frame left */
  'slice-done',
  /** a login needs the sessions on other gateways */
  'lookup-needed',
  /** a login cannot be decided: the device list is not received, or there is no room for another unregistered device */
  'hold',
  /** the gateway stops reading */
  'stop',
  'close',
  /** all records of the connection are durable and acknowledged, or have failed */
  'all-durable',
  /** the socket has closed */
  'gone',
] as const;
export type ConnectionEvent = (typeof connectionEvents)[number];

export const connectionStates = [
  'identifying',
  'reading',
  'yielding',
  'lookup',
  /** the device has closed; frames that were received before are taken */
  'draining',
  /** as `draining`; the look-up has not been answered */
  'lastLookup',
  /** the login is not decided: no FIN, destroyed when its time limit passes */
  'held',
  'stopped',
  /** waits for the last acknowledgement */
  'closing',
  /** FIN is sent; that of the device has not arrived */
  'ended',
  'closed',
] as const;
export type ConnectionState = (typeof connectionStates)[number];

/** `discarded`: read until the FIN of the device, without being taken */
export type SocketUse = 'read' | 'paused' | 'discarded';

interface Row {
  readonly socket: SocketUse;
  /** received frames are taken, and the time limits of silence apply; otherwise only the one for closing */
  readonly isOpen: boolean;
  /** next state; an event that is not listed has no effect */
  readonly on: Readonly<Partial<Record<ConnectionEvent, ConnectionState>>>;
}

const ends = { hold: 'held', stop: 'stopped', close: 'closing', gone: 'closed' } as const;
const lastEnds = { hold: 'closed', stop: 'closed', close: 'closed' } as const;
const slices = { 'slice-used': 'yielding', 'slice-done': 'reading' } as const;
const lastSlices = { 'slice-used': 'draining', 'slice-done': 'closed' } as const;

export const table: Readonly<Record<ConnectionState, Row>> = {
  identifying: { socket: 'read', isOpen: true, on: { identified: 'reading', ...ends } },
  reading: { socket: 'read', isOpen: true, on: { 'slice-used': 'yielding', 'lookup-needed': 'lookup', ...ends } },
  yielding: { socket: 'paused', isOpen: true, on: { ...slices, 'lookup-needed': 'lookup', ...ends, gone: 'draining' } },
  lookup: { socket: 'paused', isOpen: true, on: { ...slices, ...ends, gone: 'lastLookup' } },
  draining: { socket: 'paused', isOpen: true, on: { ...lastSlices, 'lookup-needed': 'lastLookup', ...lastEnds } },
  lastLookup: { socket: 'paused', isOpen: true, on: { ...lastSlices, ...lastEnds } },
  held: { socket: 'paused', isOpen: false, on: { close: 'closing', gone: 'closed' } },
  stopped: { socket: 'paused', isOpen: false, on: { close: 'closing', gone: 'closed' } },
  closing: { socket: 'paused', isOpen: false, on: { 'all-durable': 'ended', gone: 'closed' } },
  ended: { socket: 'discarded', isOpen: false, on: { gone: 'closed' } },
  closed: { socket: 'paused', isOpen: false, on: {} },
};
