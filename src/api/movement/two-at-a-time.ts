/** Work on all of a list, two at a time (the database is asked for so many at once), results in order. */
export async function twoAtATime<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const i = next++;
      results[i] = await work(items[i]!);
    }
  };
  await Promise.all([lane(), lane()]);
  return results;
}

/** The same, each result taken in order as soon as it is there: two at most are kept. */
export async function inOrder<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  take: (result: R) => Promise<void>,
): Promise<void> {
  const begin = (i: number): Promise<R> | undefined => {
    if (i >= items.length) return undefined;
    const result = work(items[i]!);
    // handled when its result is read
    result.catch(() => {});
    return result;
  };
  let [first, second] = [begin(0), begin(1)];
  for (let i = 2; first !== undefined; i++) {
    await take(await first);
    [first, second] = [second, begin(i)];
  }
}
