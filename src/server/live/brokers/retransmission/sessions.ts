import type { Rejection } from '../message.ts';
import type { Report } from './report.ts';

/** maximum number of devices that are sent concurrently */
const AT_ONCE = 100;

/** A connection of one device, logged in. */
export interface Session {
  send(reports: readonly Report[]): Promise<readonly Rejection[]>;
  isOpen(): boolean;
  close(): void;
}

/** The receiver permanently refuses a device. */
export class LoginRefused extends Error {
  override readonly name = 'LoginRefused';
}

export interface Sessions {
  send(reports: readonly Report[]): Promise<Rejection[]>;
  close(): void;
}

/** One connection per device; the `most` recently used stay open. */
export function createSessions(open: (device: string) => Promise<Session>, most: number): Sessions {
  /** in the order of their last use */
  const sessions = new Map<string, Promise<Session>>();
  const busy = new Set<string>();
  let isClosed = false;

  const drop = (device: string): void => {
    sessions
      .get(device)
      ?.then((session) => session.close())
      .catch(() => {});
    sessions.delete(device);
  };
  const makeRoom = (): void => {
    if (sessions.size < most) return;
    const idle = [...sessions.keys()].find((device) => !busy.has(device));
    if (idle !== undefined) drop(idle);
  };
  const openNew = (device: string): Promise<Session> => {
    makeRoom();
    const opening = open(device).then((session) => {
      if (!isClosed) return session;
      session.close();
      throw new Error('the stream is closed');
    });
    sessions.set(device, opening);
    opening.catch(() => sessions.delete(device));
    return opening;
  };
  /** The session of a device, if it is still connected. */
  const openBefore = async (device: string): Promise<Session | undefined> => {
    const known = sessions.get(device);
    if (known === undefined) return undefined;
    const session = await known;
    sessions.delete(device);
    if (!session.isOpen()) return undefined;
    sessions.set(device, known);
    return session;
  };
  const sendOf = async (device: string, reports: readonly Report[]): Promise<readonly Rejection[]> => {
    const before = await openBefore(device);
    if (before !== undefined) {
      try {
        return await before.send(reports);
      } catch (error) {
        // receivers close idle connections: it may have been closed during the write, so the write is repeated once
        if (isClosed || before.isOpen()) throw error;
        sessions.delete(device);
      }
    }
    return (await openNew(device)).send(reports);
  };
  const sendOrReject = async (device: string, reports: readonly Report[]): Promise<readonly Rejection[]> => {
    busy.add(device);
    try {
      return await sendOf(device, reports);
    } catch (error) {
      if (!(error instanceof LoginRefused)) throw error;
      return reports.map(({ message }) => ({ message, reason: error.message }));
    } finally {
      busy.delete(device);
    }
  };
  return {
    async send(reports) {
      const waiting = [...byDevice(reports)];
      const rejections: Rejection[] = [];
      const work = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          rejections.push(...(await sendOrReject(...next)));
        }
      };
      try {
        await Promise.all(Array.from({ length: Math.min(most, AT_ONCE, waiting.length) }, work));
      } finally {
        waiting.length = 0;
      }
      return rejections;
    },
    close() {
      isClosed = true;
      for (const device of sessions.keys()) drop(device);
    },
  };
}

function byDevice(reports: readonly Report[]): Map<string, Report[]> {
  const groups = new Map<string, Report[]>();
  for (const report of reports) {
    const group = groups.get(report.device);
    if (group === undefined) groups.set(report.device, [report]);
    else group.push(report);
  }
  return groups;
}
