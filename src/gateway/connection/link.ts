import type { Answer, Driver, Transport } from '#codec';

/** One way to reach devices: a TCP connection or a UDP peer. */
export interface Link {
  /** id of the connection, unique across gateways and restarts */
  readonly id: string;
  readonly transport: Transport;
  /** address:port of the peer */
  readonly remote: string;
  /** device ids in the subject of the verified certificate; undefined without one */
  readonly certificate?: readonly string[] | undefined;
  /** protocol of the link */
  readonly protocol: string;
  readonly openedAt: number;
  /** epoch ms */
  readonly lastByteAt: number;
  /** undefined until the protocol is known */
  readonly driver: Driver<unknown> | undefined;
  /** device of messages that name no device: the last one that logged in here */
  deviceId: string | undefined;
  /** all devices of a link that carries more than one */
  devices: Set<string> | undefined;
  /** by device: name of the command that was written last, if its protocol knows it */
  commandNames?: Map<string, string>;
  write(bytes: Uint8Array): void;
  /**
   * Sends a command at once or, over HTTP, as the next response. `onTaken` is called when the bytes have been passed to
   * the operating system.
   */
  deliver(bytes: Uint8Array, onTaken?: () => void): void;
  /** Closes the link after pending bytes are sent. */
  close(reason: string): void;
}

export function* devicesOf(link: Link): Iterable<string> {
  if (link.devices !== undefined) yield* link.devices;
  else if (link.deviceId !== undefined) yield link.deviceId;
}

export function addDevice(link: Link, id: string): void {
  if (link.devices !== undefined) link.devices.add(id);
  else if (link.deviceId !== undefined && link.deviceId !== id) link.devices = new Set([link.deviceId, id]);
  link.deviceId = id;
}

/** To be called before the bytes of a command are written. */
export function noteCommand(link: Link, id: string, bytes: Uint8Array): void {
  const name = link.driver?.protocol.commandName?.(bytes);
  if (name === undefined) link.commandNames?.delete(id);
  else {
    link.commandNames ??= new Map();
    link.commandNames.set(id, name);
  }
}

/** The answer names a command, and not the one that was written last. */
export function answersOther({ commandNames }: Link, id: string, { command }: Answer): boolean {
  const written = commandNames?.get(id);
  return command !== undefined && written !== undefined && command !== written;
}

/** A device has been admitted on the link. */
export const isAdmitted = ({ deviceId, devices }: Link): boolean =>
  deviceId !== undefined || (devices !== undefined && devices.size > 0);

/** Returns whether the link still carries a device. */
export function removeDevice(link: Link, id: string): boolean {
  link.devices?.delete(id);
  if (link.deviceId === id) link.deviceId = undefined;
  return link.devices !== undefined ? link.devices.size > 0 : link.deviceId !== undefined;
}
