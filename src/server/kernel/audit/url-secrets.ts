const URL_START = /^[a-z][a-z0-9+.-]*:\/\//i;
const PASSWORD = /^([^/]*\/\/[^/?#@:]*):[^/?#]*@/;
const QUERY_VALUE = /([?&][^=&#]*)=[^&#]*/g;
const MASK = '***';

const masked = (url: string): string => url.replace(PASSWORD, `$1:${MASK}@`).replace(QUERY_VALUE, `$1=${MASK}`);

/** URLs of receivers may contain credentials, which must not be stored in the permanent audit trail. */
function withoutUrlSecrets(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.hostname === '') return URL_START.test(text) ? masked(text) : text;
  const asGiven = masked(text);
  // spellings such as `https:\\user:password@host` are URLs too, though not for the patterns
  const isMasked = URL_START.test(text) && URL.canParse(asGiven) && [MASK, ''].includes(new URL(asGiven).password);
  return isMasked ? asGiven : masked(url.href);
}

/** JSON without the passwords and the query values of URLs. */
export const auditJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? withoutUrlSecrets(part) : part));
