/** Why a command is still pending: one reason, in the order in which they are looked at. */
export type Reason =
  | 'not-before'
  | 'device-offline'
  | `condition:${string}`
  | 'waiting-for-answer'
  | 'gap'
  | `behind:${string}`
  | 'queue-down';

/** What decides when a device's next command may be sent. */
export interface DeviceStatus {
  readonly isOnline: boolean;
  /** a command is on its way or waits for its answer, or a late answer is still waited for on this connection */
  readonly isWaitingForAnswer: boolean;
  /** the model wants a pause between commands, which is not over */
  readonly isInGap: boolean;
}

export interface PendingStatus {
  readonly id: string;
  /** its `notBefore` lies ahead */
  readonly isEarly: boolean;
  /** name of the condition that the newest position does not meet */
  readonly unmet: string | null;
}

/**
 * One reason for each of a device's pending commands, which are given in the order of delivery. Pure.
 *
 * A command's own date comes first: nothing that happens to the device changes it. If the device is offline nothing
 * else matters, and a position that is not fresh follows from it. A command whose condition is not met does not block
 * others, so its reason is the condition, and the others are not behind it. The first command that could be sent waits
 * for the answer before it or for the gap, each later one for the command ahead. If nothing blocks it and it has not
 * been sent, dispatch has not processed it yet.
 */
export function explain(device: DeviceStatus, pending: readonly PendingStatus[]): Map<string, Reason> {
  const reasons = new Map<string, Reason>();
  let ahead: string | undefined;
  for (const command of pending) {
    const own = ownReason(device, command);
    reasons.set(command.id, own ?? queueReason(device, ahead));
    if (own === undefined) ahead = command.id;
  }
  return reasons;
}

function ownReason({ isOnline }: DeviceStatus, { isEarly, unmet }: PendingStatus): Reason | undefined {
  if (isEarly) return 'not-before';
  if (!isOnline) return 'device-offline';
  return unmet === null ? undefined : `condition:${unmet}`;
}

function queueReason(device: DeviceStatus, ahead: string | undefined): Reason {
  if (ahead !== undefined) return `behind:${ahead}`;
  if (device.isWaitingForAnswer) return 'waiting-for-answer';
  return device.isInGap ? 'gap' : 'queue-down';
}
