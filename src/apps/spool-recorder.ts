import type { Recorder } from '../gateway/index.ts';
import type { Pusher } from '../gateway/pusher/index.ts';
import type { Spool } from '../gateway/spool/index.ts';

/** What `safe` means to the gateway: in the spool, or at the API as well (ACK_WHEN). */
export function spoolRecorder(spool: Spool, api: Pusher, ackWhen: 'stored' | 'delivered'): Recorder {
  const listeners: (() => void)[] = [];
  let isWaiting = false;
  const awaitRoom = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    void spool.whenRoom().then(() => {
      isWaiting = false;
      for (const listener of listeners) listener();
    });
  };
  return {
    async append(records, isUrgent) {
      try {
        const { last } = await spool.append(records, isUrgent);
        if (ackWhen === 'delivered') await api.delivered(last);
      } catch (error) {
        awaitRoom();
        throw error;
      }
    },
    get hasRoom() {
      if (spool.blocked === undefined) return true;
      awaitRoom();
      return false;
    },
    onRoom: (listener) => listeners.push(listener),
  };
}
