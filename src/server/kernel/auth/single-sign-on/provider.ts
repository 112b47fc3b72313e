import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import type { Clock } from '../../../../platform/clock.ts';
import { HOUR_MS } from '../../../../platform/durations.ts';
import type { Claims } from './claims.ts';

export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly scopes: readonly string[];
  readonly acrValues: readonly string[];
  /** where the provider redirects browsers after login and logout */
  readonly callbackUrl: string;
  readonly loggedOutUrl: string;
}

/** State, nonce and PKCE verifier, which the answer of the provider is checked against. */
export interface Challenge {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface SignedOn {
  readonly issuer: string;
  readonly subject: string;
  /** session of the provider */
  readonly sid: string | undefined;
  readonly idToken: string;
  readonly claims: Claims;
}

/** The OpenID Connect provider. Its metadata are read at first use and again after an hour. */
export interface Provider {
  begin(): Promise<{ url: string; challenge: Challenge }>;
  /**
   * Exchanges the authorization code. Throws if it does not match the challenge, or if the ID token is not signed by
   * the provider, expired, or issued to another client.
   */
  finish(query: string, challenge: Challenge): Promise<SignedOn>;
  /** Logout URL of the provider; undefined if it has none. */
  logoutUrl(idToken: string | undefined): Promise<string | undefined>;
  /** Subject and session of a logout token (OpenID Connect Back-Channel Logout 1.0). Throws if it is invalid. */
  readLogout(token: string): Promise<{ subject: string | undefined; sid: string | undefined }>;
}

const METADATA_MS = HOUR_MS;
const TIMEOUT_S = 10;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** clock tolerance */
const TOLERANCE_S = 30;
const LOGOUT_MAX_AGE_S = 300;

export function createProvider(settings: ProviderSettings, clock: Clock): Provider {
  const { issuer, clientId, clientSecret, callbackUrl } = settings;
  let known: { readonly config: oidc.Configuration; readonly until: number } | undefined;
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;
  const configuration = async (): Promise<oidc.Configuration> => {
    const now = clock.monotonic();
    if (known !== undefined && known.until > now) return known.config;
    const authentication = clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret);
    const config = await oidc.discovery(new URL(issuer), clientId, {}, authentication, {
      timeout: TIMEOUT_S,
      execute: [
        // the settings accept HTTP for loopback addresses only
        ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
        // verify signatures also of tokens that come directly from the provider over TLS
        oidc.enableNonRepudiationChecks,
      ],
    });
    known = { config, until: now + METADATA_MS };
    keys = undefined;
    return config;
  };
  return {
    async begin() {
      const config = await configuration();
      const challenge = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: callbackUrl,
        scope: settings.scopes.join(' '),
        state: challenge.state,
        nonce: challenge.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(challenge.verifier),
        code_challenge_method: 'S256',
        ...(settings.acrValues.length === 0 ? {} : { acr_values: settings.acrValues.join(' ') }),
      });
      return { url: url.href, challenge };
    },
    async finish(query, { state, nonce, verifier }) {
      const config = await configuration();
      const answer = Object.assign(new URL(callbackUrl), { search: query });
      const tokens = await oidc.authorizationCodeGrant(config, answer, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims()!;
      const more =
        config.serverMetadata().userinfo_endpoint === undefined
          ? {}
          : await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
      return {
        issuer: claims.iss,
        subject: claims.sub,
        sid: typeof claims['sid'] === 'string' ? claims['sid'] : undefined,
        idToken: tokens.id_token!,
        // acr and amr are taken from the signed ID token only, not from userinfo
        claims: { ...more, acr: undefined, amr: undefined, ...claims },
      };
    },
    async logoutUrl(idToken) {
      const config = await configuration();
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
      return oidc.buildEndSessionUrl(config, {
        post_logout_redirect_uri: settings.loggedOutUrl,
        ...(idToken === undefined ? {} : { id_token_hint: idToken }),
      }).href;
    },
    async readLogout(token) {
      const metadata = (await configuration()).serverMetadata();
      keys ??= createRemoteJWKSet(new URL(metadata.jwks_uri!), { timeoutDuration: TIMEOUT_S * 1000 });
      const { payload } = await jwtVerify(token, keys, {
        issuer: metadata.issuer,
        audience: clientId,
        clockTolerance: TOLERANCE_S,
        maxTokenAge: LOGOUT_MAX_AGE_S,
        requiredClaims: ['iat', 'jti', 'events'],
        currentDate: new Date(clock.now()),
      });
      return readLogoutClaims(payload);
    },
  };
}

function readLogoutClaims(payload: JWTPayload): { subject: string | undefined; sid: string | undefined } {
  const { sub: subject, events } = payload;
  const sid = typeof payload['sid'] === 'string' ? payload['sid'] : undefined;
  const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, LOGOUT_EVENT);
  // a nonce marks an ID token, which must not be accepted as a logout token
  if (!isLogout || payload['nonce'] !== undefined) throw new Error('not a logout token');
  if (subject === undefined && sid === undefined) throw new Error('the logout token names neither user nor session');
  return { subject, sid };
}
