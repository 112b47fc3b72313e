import type { SingleSignOnRules } from '../auth/index.ts';
import type { ApiSettings } from './deps.ts';

const SCOPES = ['openid', 'profile', 'email'];

/** Undefined without a provider. */
export function singleSignOnOf(settings: ApiSettings): SingleSignOnRules | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, PUBLIC_URL: publicUrl } = settings;
  if (issuer === undefined || clientId === undefined || publicUrl === undefined) return undefined;
  const base = publicUrl.replace(/\/+$/, '');
  return {
    issuer,
    clientId,
    clientSecret: settings.OIDC_CLIENT_SECRET,
    scopes: settings.OIDC_SCOPES?.length ? settings.OIDC_SCOPES : SCOPES,
    acrValues: settings.OIDC_ACR_VALUES ?? [],
    callbackUrl: `${base}/login/sso/callback`,
    loggedOutUrl: `${base}/login`,
    label: settings.OIDC_NAME ?? 'Single sign-on',
    isSecure: base.startsWith('https:'),
    roleClaim: settings.OIDC_ROLE_CLAIM ?? 'groups',
    roles: settings.OIDC_ROLES ?? new Map(),
    defaultRole: settings.OIDC_DEFAULT_ROLE,
    tenantClaim: settings.OIDC_TENANT_CLAIM,
    tenant: settings.OIDC_TENANT ?? 'default',
    domains: settings.OIDC_DOMAINS ?? [],
    createsUsers: settings.OIDC_CREATE_USERS ?? false,
    linksByEmail: settings.OIDC_LINK_BY_EMAIL ?? false,
  };
}
