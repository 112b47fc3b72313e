import type { Terminal } from './header.ts';
import type { Pending } from './parts.ts';

/** What a connection remembers. */
export interface State {
  readonly terminal: Terminal | undefined;
  /** ids[0] of the terminal that has shown its authentication code; true where the gateway vouches for it */
  readonly proven: string | true | undefined;
  /** messages of which parts are missing, oldest first */
  readonly pending: readonly Pending[];
}

const FRESH: State = { terminal: undefined, proven: undefined, pending: [] };

export const initialState = (deviceId?: string): State =>
  deviceId === undefined ? FRESH : { terminal: undefined, proven: true, pending: [] };
