/** The most entries that one Map has during `work`, of those that it adds entries to. */
export async function largestMap(work: () => unknown): Promise<number> {
  let most = 0;
  const { set } = Map.prototype;
  Map.prototype.set = function (key, value) {
    set.call(this, key, value);
    most = Math.max(most, this.size);
    return this;
  };
  try {
    await work();
  } finally {
    Map.prototype.set = set;
  }
  return most;
}
