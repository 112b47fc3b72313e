import { SCOPES } from '../kernel/access/index.ts';
import type { Accounts } from '../kernel/auth/index.ts';
import type { Owner } from '../reports/schedules/index.ts';

const SECONDS = 900;

/** A token with the current permissions of the owner of a report; undefined if the owner may no longer log in. */
export async function tokenOfOwner(
  tokens: Accounts['tokens'],
  { tenantId, tenant, kind, id }: Owner,
): Promise<string | undefined> {
  const bearer = kind === 'user' ? { userId: id } : { keyId: id };
  const token = await tokens.issue({ tenantId, tenant, ...bearer, scopes: SCOPES, seconds: SECONDS });
  return (await tokens.verify(token)) === undefined ? undefined : token;
}
