import { Gauge, type Registry } from 'prom-client';
import { type Check, isRequired } from '../platform/readiness.ts';

/** Results of /readyz for alerts: 1 if a check passes; `required`: the process is not ready without it. Checks of a gateway are named `gateway: …`. */
export function addReadinessMetric(
  registry: Registry,
  checks: () => readonly Check[] | Promise<readonly Check[]>,
): void {
  new Gauge({
    name: 'fleetgate_ready',
    help: '1 where the check of /readyz holds, 0 where it does not',
    labelNames: ['check', 'required'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const check of await checks())
        this.set({ check: check.name, required: String(isRequired(check)) }, check.ok ? 1 : 0);
    },
  });
}
