import { Gauge, type Registry } from 'prom-client';

interface Check {
  readonly name: string;
  readonly ok: boolean;
}

/** What /readyz says, for alerts: 1 where a check holds. Checks of a gateway are named `gateway: …` everywhere. */
export function addReadinessMetric(
  registry: Registry,
  checks: () => readonly Check[] | Promise<readonly Check[]>,
): void {
  new Gauge({
    name: 'fleetgate_ready',
    help: '1 where the check of /readyz holds, 0 where it does not',
    labelNames: ['check'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { name, ok } of await checks()) this.set({ check: name }, ok ? 1 : 0);
    },
  });
}
