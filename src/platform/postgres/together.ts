/** Looks up what a tenant (0: none) asks for by name; what is not there is missing in the answer. */
export type LookUp<T> = (tenantId: number, names: readonly string[]) => Promise<ReadonlyMap<string, T>>;

const MOST_AT_ONCE = 500;
/** statements of one tenant on their way; what comes meanwhile goes with the next */
const MOST_ON_THEIR_WAY = 2;

interface Waiting<T> {
  readonly name: string;
  resolve(found: T | undefined): void;
  reject(error: unknown): void;
}

interface TenantQueue<T> {
  waiting: Waiting<T>[];
  onTheirWay: number;
  isDue: boolean;
}

/**
 * Look-ups of one tenant that come in one turn of the event loop travel as one statement, and one that comes while
 * others are on their way waits for the next. Each is sent after it was asked, so nothing that it finds is older than
 * the question; nothing is kept. `waitMs`: where answers may be late, more travel together.
 */
export function lookUpTogether<T>(
  lookUp: LookUp<T>,
  waitMs?: number,
): (tenantId: number, name: string) => Promise<T | undefined> {
  const queues = new Map<number, TenantQueue<T>>();
  const depart = (tenantId: number, queue: TenantQueue<T>): void => {
    while (queue.waiting.length > 0 && queue.onTheirWay < MOST_ON_THEIR_WAY) {
      const batch = queue.waiting.splice(0, MOST_AT_ONCE);
      queue.onTheirWay++;
      lookUp(tenantId, [...new Set(batch.map(({ name }) => name))])
        .then(
          (found) => {
            for (const { name, resolve } of batch) resolve(found.get(name));
          },
          (error) => {
            for (const { reject } of batch) reject(error);
          },
        )
        .finally(() => {
          queue.onTheirWay--;
          depart(tenantId, queue);
        });
    }
    if (queue.onTheirWay === 0 && queue.waiting.length === 0) queues.delete(tenantId);
  };
  return (tenantId, name) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(tenantId) ?? { waiting: [], onTheirWay: 0, isDue: false };
      queues.set(tenantId, queue);
      queue.waiting.push({ name, resolve, reject });
      if (queue.isDue) return;
      queue.isDue = true;
      const leave = (): void => {
        queue.isDue = false;
        depart(tenantId, queue);
      };
      if (waitMs === undefined) setImmediate(leave);
      else setTimeout(leave, waitMs);
    });
}
