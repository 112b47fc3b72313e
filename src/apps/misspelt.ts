/** Shorter names are too close to those of other programs. */
const MIN_LENGTH = 8;
/** In longer names two mistakes are found. */
const LONG_LENGTH = 13;
/** Variables of other programs, and of Kubernetes (`GATEWAY_PORT=tcp://…`). */
const FOREIGN = /^(AWS|KUBERNETES|LC|NODE|NPM|OTEL|PG|XDG)_|_SERVICE_(HOST|PORT)|_PORT_\d+_/;

/** The setting that a variable of the environment seems to mean; undefined if it is none of ours. */
export function nearestSetting(name: string, known: readonly string[]): string | undefined {
  if (name.length < MIN_LENGTH || FOREIGN.test(name)) return undefined;
  return nearestName(name, known, name.length >= LONG_LENGTH ? 2 : 1);
}

/** The name with the fewest mistakes, at most `limit`. */
export function nearestName(name: string, known: readonly string[], limit: number): string | undefined {
  let best: string | undefined;
  let fewest = limit + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= fewest) continue;
    const mistakes = distance(name, candidate);
    if (mistakes < fewest) [best, fewest] = [candidate, mistakes];
  }
  return best;
}

/** Letters that are missing, too many, different or exchanged with their neighbor (optimal string alignment). */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    const above = rows[i - 1]!;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      }
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
