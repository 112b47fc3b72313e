import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import type { Clock } from '../../../platform/clock.ts';
import type { Claims } from './claims.ts';

export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly scopes: readonly string[];
  readonly acrValues: readonly string[];
  /** where the provider sends browsers after their login, and after their logout */
  readonly callbackUrl: string;
  readonly loggedOutUrl: string;
}

/** What has to come back with the answer of the provider. */
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

/** The OpenID Connect provider. Its metadata are read when they are needed first, and again after an hour. */
export interface Provider {
  begin(): Promise<{ url: string; challenge: Challenge }>;
  /**
   * Exchanges the code of the answer. Throws where it does not belong to the challenge, or where the ID token is not
   * signed by the provider, expired, or for another client.
   */
  finish(query: string, challenge: Challenge): Promise<SignedOn>;
  /** Where the browser ends the session of the provider; undefined where the provider has no such page. */
  logoutUrl(idToken: string | undefined): Promise<string | undefined>;
  /** Whose sessions a logout token (OpenID Connect Back-Channel Logout 1.0) ends. Throws where it is not valid. */
  readLogout(token: string): Promise<{ subject: string | undefined; sid: string | undefined }>;
}

const METADATA_MS = 3_600_000;
const TIMEOUT_S = 10;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** of clocks, s */
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
        // the settings accept HTTP on this machine only
        ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
        // signatures are verified although the token comes from the provider itself
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
        // how somebody was authenticated is said by the signed token alone
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
  // an ID token has a nonce: it is not taken for a logout token
  if (!isLogout || payload['nonce'] !== undefined) throw new Error('not a logout token');
  if (subject === undefined && sid === undefined) throw new Error('the logout token names neither user nor session');
  return { subject, sid };
}
