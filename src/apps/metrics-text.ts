export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Samples of one metric in the text format of Prometheus, as our own processes write it. */
export function samplesOf(text: string, metric: string): Sample[] {
  const line = new RegExp(`^${metric}(?:\\{(.*)\\})? ([^ ]+)$`, 'gm');
  return [...text.matchAll(line)].map(([, labels = '', value]) => ({
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, of]) => [name, of])),
    value: Number(value),
  }));
}
