/**
 * Attempts items together, in order. If they are refused, each half is attempted, until the refused items are found:
 * the others take effect. `attempt` returns why it was refused, or undefined; `onRefused` is called for one item,
 * before those behind it are attempted. An error of either ends the work.
 */
export async function halveRefused<T, Reason>(
  items: readonly T[],
  attempt: (items: readonly T[]) => Promise<Reason | undefined>,
  onRefused: (item: T, reason: Reason) => Promise<void> | void,
): Promise<void> {
  if (items.length === 0) return;
  const reason = await attempt(items);
  if (reason === undefined) return;
  if (items.length === 1) {
    await onRefused(items[0]!, reason);
    return;
  }
  const middle = items.length >> 1;
  await halveRefused(items.slice(0, middle), attempt, onRefused);
  await halveRefused(items.slice(middle), attempt, onRefused);
}
