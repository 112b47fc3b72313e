import pLimit from 'p-limit';

/** Applies `work` to all items with at most two database queries at a time; results are in the order of the items. */
export const twoAtATime = <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> =>
  pLimit(2).map(items, work);

/** As above, but each result is passed on in order as soon as it is available: at most two are held. */
export async function inOrder<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  take: (result: R) => Promise<void>,
): Promise<void> {
  const begin = (i: number): Promise<R> | undefined => {
    if (i >= items.length) return undefined;
    const result = work(items[i]!);
    // a rejection is handled when the result is awaited
    result.catch(() => {});
    return result;
  };
  let [first, second] = [begin(0), begin(1)];
  for (let i = 2; first !== undefined; i++) {
    await take(await first);
    [first, second] = [second, begin(i)];
  }
}
