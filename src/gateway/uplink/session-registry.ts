import { request } from 'undici';
import { type OtherSession, otherSessions, type SessionQuery } from '../../contract/events.ts';
import type { ApiAddress, Tokens } from './token.ts';

export interface SessionRegistryDependencies {
  /** the current API */
  readonly at: () => ApiAddress;
  readonly tokens: Tokens;
  /** of a request, for which logins wait */
  readonly timeoutMs: number;
  /** why the downlink is not open: no request is sent then; undefined if it is open */
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
    const { at, tokens, timeoutMs, trouble } = this.#deps;
    const reason = trouble();
    if (reason !== undefined) throw new Error(reason);
    const signal = AbortSignal.timeout(timeoutMs);
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
      throw new Error(`the API has refused the query of sessions: status ${statusCode}`);
    }
    return otherSessions.parse(await body.json()).items;
  }
}
