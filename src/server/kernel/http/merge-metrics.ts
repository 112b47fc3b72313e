/**
 * Joins two texts in the exposition format of Prometheus. A metric that both contain is written once, with the samples
 * of both: the format allows one HELP and one TYPE line for a name, and all samples of a name in one group.
 */
export function mergeMetrics(first: string, second: string): string {
  const families = familiesOf(first);
  for (const [name, family] of familiesOf(second)) {
    const known = families.get(name);
    if (known === undefined) families.set(name, family);
    else known.samples.push(...family.samples);
  }
  return [...families.values()].map(({ head, samples }) => `${[...head, ...samples].join('\n')}\n`).join('\n');
}

interface Family {
  readonly head: string[];
  readonly samples: string[];
}

function familiesOf(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  let current: Family = { head: [], samples: [] };
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const name = /^# (?:HELP|TYPE) (\S+)/.exec(line)?.[1];
    if (name === undefined) {
      current.samples.push(line);
      continue;
    }
    current = families.get(name) ?? { head: [], samples: [] };
    families.set(name, current);
    current.head.push(line);
  }
  return families;
}
