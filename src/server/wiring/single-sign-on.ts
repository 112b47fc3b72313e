import type { SingleSignOnRules } from '../kernel/auth/index.ts';
import type { SingleSignOnSettings } from '../kernel/auth/single-sign-on/settings.ts';

const SCOPES = ['openid', 'profile', 'email'];

/** Undefined if no provider is configured. */
export function singleSignOnOf(settings: SingleSignOnSettings): SingleSignOnRules | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, PUBLIC_URL: publicUrl } = settings;
  if (issuer === undefined || clientId === undefined || publicUrl === undefined) return undefined;
  const base = publicUrl.replace(/\/+$/, '');
  return {
    issuer,
    clientId,
    clientSecret: settings.OIDC_CLIENT_SECRET,
    scopes: settings.OIDC_SCOPES.length > 0 ? settings.OIDC_SCOPES : SCOPES,
    acrValues: settings.OIDC_ACR_VALUES,
    callbackUrl: `${base}/login/sso/callback`,
    loggedOutUrl: `${base}/login`,
    label: settings.OIDC_NAME,
    isSecure: base.startsWith('https:'),
    roleClaim: settings.OIDC_ROLE_CLAIM,
    roles: settings.OIDC_ROLES,
    defaultRole: settings.OIDC_DEFAULT_ROLE,
    tenantClaim: settings.OIDC_TENANT_CLAIM,
    tenant: settings.OIDC_TENANT,
    domains: settings.OIDC_DOMAINS,
    createsUsers: settings.OIDC_CREATE_USERS,
    linksByEmail: settings.OIDC_LINK_BY_EMAIL,
  };
}
