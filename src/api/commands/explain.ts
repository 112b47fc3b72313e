/** Why a command is still pending: one reason, in the order in which they are looked at. */
export type Reason =
  | 'not-before'
  | 'device-offline'
  | `condition:${string}`
  | 'waiting-for-answer'
  | 'gap'
  | `behind:${string}`
  | 'queue-down';

/** What of a device says when its next command may be sent. */
export interface DeviceStanding {
  readonly isOnline: boolean;
  /** a command is on its way or waits for its answer, or a late answer is still waited for on this connection */
  readonly isWaitingForAnswer: boolean;
  /** the model wants a pause between commands, which is not over */
  readonly isInGap: boolean;
}

export interface PendingStanding {
  readonly id: string;
  /** its `notBefore` lies ahead */
  readonly isEarly: boolean;
  /** name of the condition that the newest position does not meet */
  readonly unmet: string | null;
}

/**
 * One reason for each of a device's pending commands, which are given in the order of delivery. Pure.
 *
 * A command's own date comes first: nothing that happens to the device changes it. Off line nothing else matters, and
 * a position that is not fresh follows from it. A command whose condition is not met stands in nobody's way, so it is
 * told of its condition and not of the queue, and the others are not behind it. What could go waits for the answer
 * before it or for the gap if it is the first, else for the one ahead. Where nothing stands in its way and it has not
 * been sent, the queue has not got to it.
 */
export function explain(device: DeviceStanding, pending: readonly PendingStanding[]): Map<string, Reason> {
  const reasons = new Map<string, Reason>();
  let ahead: string | undefined;
  for (const command of pending) {
    const own = ownReason(device, command);
    reasons.set(command.id, own ?? queueReason(device, ahead));
    if (own === undefined) ahead = command.id;
  }
  return reasons;
}

function ownReason({ isOnline }: DeviceStanding, { isEarly, unmet }: PendingStanding): Reason | undefined {
  if (isEarly) return 'not-before';
  if (!isOnline) return 'device-offline';
  return unmet === null ? undefined : `condition:${unmet}`;
}

function queueReason(device: DeviceStanding, ahead: string | undefined): Reason {
  if (ahead !== undefined) return `behind:${ahead}`;
  if (device.isWaitingForAnswer) return 'waiting-for-answer';
  return device.isInGap ? 'gap' : 'queue-down';
}
