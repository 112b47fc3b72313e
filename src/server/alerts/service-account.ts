import { z } from 'zod';

const text = z.string().min(1);
const serviceAccount = z.object({
  project_id: text,
  client_email: text,
  private_key: text,
  token_uri: z.url({ protocol: /^https?$/ }),
});

/** Undefined if invalid. */
export function readServiceAccount(json: string): z.output<typeof serviceAccount> | undefined {
  try {
    return serviceAccount.parse(JSON.parse(json));
  } catch {
    return undefined;
  }
}
