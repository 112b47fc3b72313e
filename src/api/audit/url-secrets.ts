const URL_START = /^[a-z][a-z0-9+.-]*:\/\//i;
const PASSWORD = /^([^/]*\/\/[^/?#@:]*):[^/?#]*@/;
const QUERY_VALUE = /([?&][^=&#]*)=[^&#]*/g;

/** Receivers authenticate requests by what their URL contains, and the audit trail is kept for good. */
const withoutUrlSecrets = (text: string): string =>
  URL_START.test(text) ? text.replace(PASSWORD, '$1:***@').replace(QUERY_VALUE, '$1=***') : text;

/** JSON without the passwords and the query values of URLs. */
export const auditJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? withoutUrlSecrets(part) : part));
