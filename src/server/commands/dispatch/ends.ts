import type pg from 'pg';
import { isFinal } from '../../../contract/command.ts';
import type { Log } from '../../../platform/log.ts';
import { type Listener, notify } from '../../database/index.ts';
import type { Command } from './command.ts';
import { readCommands } from './store.ts';

export interface EndAnnouncer {
  /** Notifies the other processes that these commands have ended. */
  announce(commands: readonly Command[]): void;
  /** Resolves when pending notifications are sent. */
  stop(): Promise<void>;
}

export interface EndAnnouncerDeps {
  readonly pool: pg.Pool;
  readonly listener: Listener;
  readonly log: Log;
  /** whether other processes may wait */
  readonly hasPeers: () => boolean;
  /** whether a client of this process waits for the end of a command */
  readonly isAwaited: (id: string) => boolean;
  /** called with commands that other processes have announced and that are awaited here */
  readonly onEnded: (commands: readonly Command[]) => void;
}

const CHANNEL = 'fleetgate_command_ended';
/** ids of one notification: a payload has at most 7,999 bytes */
const IDS_PER_NOTIFICATION = 150;

/**
 * Announces ends of commands to the clients of other processes. Notifies after the commit, because NOTIFY within the
 * transactions would serialize all commits. If the process dies in between, waiters still poll the command each
 * second.
 */
export function createEndAnnouncer(deps: EndAnnouncerDeps): EndAnnouncer {
  const { pool, listener, log, hasPeers, isAwaited, onEnded } = deps;
  let ids: string[] = [];
  let sending: Promise<void> | undefined;
  const send = async (): Promise<void> => {
    while (ids.length > 0) {
      const payloads: string[] = [];
      for (let at = 0; at < ids.length; at += IDS_PER_NOTIFICATION) {
        payloads.push(ids.slice(at, at + IDS_PER_NOTIFICATION).join(' '));
      }
      ids = [];
      await notify(pool, CHANNEL, payloads).catch((error: Error) => {
        log.debug({ reason: error.message }, 'ends of commands were not announced');
      });
    }
    sending = undefined;
  };
  const unsubscribe = listener.on(CHANNEL, (payload) => {
    const awaited = payload.split(' ').filter(isAwaited);
    if (awaited.length === 0) return;
    readCommands(pool, awaited).then(
      (commands) => onEnded(commands.filter(({ state }) => isFinal(state))),
      (error: Error) => log.debug({ reason: error.message }, 'commands that have ended were not read'),
    );
  });
  return {
    announce(commands) {
      if (commands.length === 0 || !hasPeers()) return;
      for (const { id } of commands) ids.push(id);
      sending ??= send();
    },
    async stop() {
      unsubscribe();
      await sending;
    },
  };
}
