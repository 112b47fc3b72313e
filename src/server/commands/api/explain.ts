/** Why a command is still pending: the first reason in the order of the checks. */
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
  /** a command is in flight, or a late answer is still possible on this connection */
  readonly isWaitingForAnswer: boolean;
  /** the minimum gap between commands of this model has not passed */
  readonly isInGap: boolean;
}

export interface PendingStatus {
  readonly id: string;
  /** its `notBefore` is in the future */
  readonly isEarly: boolean;
  /** name of the condition that the newest position does not meet */
  readonly unmet: string | null;
}

/**
 * One reason for each pending command of a device, given in the order of delivery. Pure. The command's own start time
 * comes first, since no event of the device changes it; then an offline device, which also explains a position that is
 * not current. A command whose condition is not met does not block others: its reason is the condition. The first
 * command that could be sent waits for the answer before it or for the gap, each later one for the command ahead of it.
 * Otherwise dispatch has not processed the command yet.
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
