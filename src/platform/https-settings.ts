import { z } from 'zod';

const text = z.string().min(1);

/** TLS of the REST API and the console, and of the connection of a gateway to it. */
export const httpsSettings = {
  API_TLS_CERT: text
    .optional()
    .describe(
      'file with the certificate chain of the REST API and the console (PEM); with it they are served over HTTPS only. Replaced files are read again within 5 seconds',
    ),
  API_TLS_KEY: text.optional().describe('file with the private key of API_TLS_CERT (PEM)'),
  API_CA: text
    .optional()
    .describe(
      'file with the certificate authorities that a gateway trusts for API_URL, or the certificate of the API itself (PEM); without it those of Node.js',
    ),
  API_SERVER_NAME: text
    .optional()
    .describe('name that the certificate of API_URL must contain, if it is not the host of API_URL'),
};

export function httpsProblems(settings: {
  readonly API_TLS_CERT?: string | undefined;
  readonly API_TLS_KEY?: string | undefined;
}): string[] {
  const isWhole = (settings.API_TLS_CERT === undefined) === (settings.API_TLS_KEY === undefined);
  return isWhole ? [] : ['API_TLS_CERT, API_TLS_KEY: must be set together'];
}
