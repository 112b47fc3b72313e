import type { GatewayEvent } from './events.ts';

/** What gateways report. It rises when a type of event or a kind of record is added; an API reads all versions up to its own. */
export const RECORDS_VERSION = 2;
/** of an API that does not say what it reads */
export const FIRST_RECORDS_VERSION = 1;
/** header with the version that an API reads, in its answers to POST /v1/internal/events */
export const RECORDS_VERSION_HEADER = 'fleetgate-records';

/** Types of events that the first version did not have. */
const ADDED: ReadonlyMap<string, number> = new Map<GatewayEvent['type'], number>([
  ['session-taken-over', 2],
  ['login-refused', 2],
]);

/** Version that an API needs to read an event of this type. */
export const versionOf = (type: string): number => ADDED.get(type) ?? FIRST_RECORDS_VERSION;
