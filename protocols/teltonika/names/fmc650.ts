import type { ElementName } from '../io/names.ts';

/** Elements that are the FMC650's alone. */
export const fmc650: readonly ElementName[] = [[11714, 'COM1 DSM state', 'u8']];
