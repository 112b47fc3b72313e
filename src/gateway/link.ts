import type { Driver, Transport } from '#codec';

/** One way to reach devices: a TCP connection or a UDP peer. */
export interface Link {
  /** the gateway's own id of the connection, unique for ever */
  readonly id: string;
  readonly transport: Transport;
  /** address:port of the peer */
  readonly remote: string;
  /** device ids in the subject of the verified certificate; undefined without one */
  readonly certificate?: readonly string[] | undefined;
  /** codec that speaks here */
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
  write(bytes: Uint8Array): void;
  /**
   * A command: at once, or in place of the next answer where only requests are answered (HTTP). `onTaken` is called
   * when the peer's stack (TCP) or our own (UDP) has taken the bytes.
   */
  deliver(bytes: Uint8Array, onTaken?: () => void): void;
  /** After what has been written has left. */
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

/** A device has been admitted on the link. */
export const isAdmitted = ({ deviceId, devices }: Link): boolean =>
  deviceId !== undefined || (devices !== undefined && devices.size > 0);

/** Returns whether the link still carries a device. */
export function removeDevice(link: Link, id: string): boolean {
  link.devices?.delete(id);
  if (link.deviceId === id) link.deviceId = undefined;
  return link.devices !== undefined ? link.devices.size > 0 : link.deviceId !== undefined;
}
