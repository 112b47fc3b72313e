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

interface Lane<T> {
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
  const lanes = new Map<number, Lane<T>>();
  const depart = (tenantId: number, lane: Lane<T>): void => {
    while (lane.waiting.length > 0 && lane.onTheirWay < MOST_ON_THEIR_WAY) {
      const batch = lane.waiting.splice(0, MOST_AT_ONCE);
      lane.onTheirWay++;
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
          lane.onTheirWay--;
          depart(tenantId, lane);
        });
    }
    if (lane.onTheirWay === 0 && lane.waiting.length === 0) lanes.delete(tenantId);
  };
  return (tenantId, name) =>
    new Promise((resolve, reject) => {
      const lane = lanes.get(tenantId) ?? { waiting: [], onTheirWay: 0, isDue: false };
      lanes.set(tenantId, lane);
      lane.waiting.push({ name, resolve, reject });
      if (lane.isDue) return;
      lane.isDue = true;
      const leave = (): void => {
        lane.isDue = false;
        depart(tenantId, lane);
      };
      if (waitMs === undefined) setImmediate(leave);
      else setTimeout(leave, waitMs);
    });
}
