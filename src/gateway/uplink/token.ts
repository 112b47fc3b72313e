import { SignJWT } from 'jose';
import { type Dispatcher, request } from 'undici';
import type { Clock } from '../../platform/clock.ts';

export interface ApiAddress {
  readonly apiUrl: string;
  /** opens the connections to the API */
  readonly dispatcher?: Dispatcher;
}

export interface TokenSettings {
  /** the current API */
  readonly at: () => ApiAddress;
  readonly internalKey: string;
  readonly gatewayId: string;
}

/** Exchanges the internal key for short-lived tokens, which are renewed a minute before they expire. */
export class Tokens {
  readonly #settings: TokenSettings;
  readonly #clock: Clock;
  #token: { readonly value: string; readonly until: number } | undefined;
  #asking: Promise<string> | undefined;

  constructor(settings: TokenSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** A valid token. Rejects if the API issues none. */
  get(): Promise<string> {
    if (this.#token !== undefined && this.#token.until > this.#clock.now()) return Promise.resolve(this.#token.value);
    this.#asking ??= this.#exchange().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** The API rejected the token: the next call requests a new one. */
  forget(): void {
    this.#token = undefined;
  }

  async #exchange(): Promise<string> {
    const { at, internalKey, gatewayId } = this.#settings;
    const { apiUrl, dispatcher } = at();
    const seconds = Math.floor(this.#clock.now() / 1000);
    const assertion = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('gateway')
      .setSubject(gatewayId)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + 60)
      .setJti(crypto.randomUUID())
      .sign(new TextEncoder().encode(internalKey));
    const { statusCode, body } = await request(new URL('/v1/auth/internal', apiUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ service: 'gateway', assertion }),
      headersTimeout: 10_000,
      bodyTimeout: 10_000,
      ...(dispatcher && { dispatcher }),
    });
    if (statusCode !== 200) {
      await body.dump();
      const why = statusCode === 401 ? ': INTERNAL_KEY is not that of the API, or the clocks differ' : '';
      throw new Error(`the API has issued no token: status ${statusCode}${why}`);
    }
    const { accessToken, expiresIn } = (await body.json()) as { accessToken: string; expiresIn: number };
    this.#token = { value: accessToken, until: this.#clock.now() + Math.max(expiresIn - 60, 1) * 1000 };
    return accessToken;
  }
}
