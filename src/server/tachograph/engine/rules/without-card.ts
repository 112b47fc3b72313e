import type { DriverIdentity, TimelineSource } from '../timeline/build.ts';
import type { AnalysisOptions } from './analysis.ts';

/** EventFaultType: driving without an appropriate card. */
const WITHOUT_CARD = 4;

/**
 * When vehicles were driven without a card, by their units, where the driver's own card was in a slot as that began or
 * ended: other times cannot be attributed. Ascending, each once however many files record it.
 */
export function withoutCardOf(
  sources: readonly TimelineSource[],
  drivers: readonly DriverIdentity[],
): NonNullable<AnalysisOptions['withoutCard']> {
  const found = new Map<number, { from: number; to: number; fileId: string }>();
  for (const { fileId, file } of sources) {
    for (const event of file.kind === 'vehicle-unit' ? file.events : []) {
      if (event.type !== WITHOUT_CARD || event.begin === null) continue;
      const slots = [event.driverBegin, event.coDriverBegin, event.driverEnd, event.coDriverEnd];
      const isOwn = slots.some((card) =>
        drivers.some(({ nation, number }) => card?.nation === nation && card.number.slice(0, 14) === number),
      );
      const from = Math.floor(event.begin / 60);
      if (isOwn && !found.has(from)) found.set(from, { from, to: Math.floor((event.end ?? event.begin) / 60), fileId });
    }
  }
  return [...found.values()].sort((a, b) => a.from - b.from);
}
