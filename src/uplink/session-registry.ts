import { request } from 'undici';
import { type OtherSession, otherSessions, type SessionQuery } from '../contract/events.ts';
import type { ApiAddress, Tokens } from './token.ts';

/** Logins wait for it. */
const TIMEOUT_MS = 2_000;

export interface SessionRegistryDependencies {
  /** the API that is used now */
  readonly at: () => ApiAddress;
  readonly tokens: Tokens;
  /** why the API is not connected; it is not requested then */
  readonly trouble: () => string | undefined;
}

/** The sessions of all gateways, as the API knows them. */
export class SessionRegistry {
  readonly #deps: SessionRegistryDependencies;

  constructor(deps: SessionRegistryDependencies) {
    this.#deps = deps;
  }

  /** Open sessions of the devices on other gateways. Rejects if the API does not answer in time. */
  async find(queries: readonly SessionQuery[]): Promise<OtherSession[]> {
    const { at, tokens, trouble } = this.#deps;
    const reason = trouble();
    if (reason !== undefined) throw new Error(reason);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { apiUrl, dispatcher } = at();
    const { statusCode, body } = await request(new URL('/v1/internal/sessions', apiUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${await tokens.get()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ items: queries }),
      signal,
      ...(dispatcher && { dispatcher }),
    });
    if (statusCode !== 200) {
      await body.dump();
      throw new Error(`the API gives no sessions: status ${statusCode}`);
    }
    return otherSessions.parse(await body.json()).items;
  }
}
