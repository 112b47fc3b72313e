import { SCOPES } from '../access/index.ts';
import type { Accounts } from '../auth/index.ts';
import type { Owner } from '../report-schedules/index.ts';

const SECONDS = 900;

/** A token of the permissions that the owner of a report has now; undefined where he may no longer log in. */
export async function tokenOfOwner(
  tokens: Accounts['tokens'],
  { tenantId, tenant, kind, id }: Owner,
): Promise<string | undefined> {
  const bearer = kind === 'user' ? { userId: id } : { keyId: id };
  const token = await tokens.issue({ tenantId, tenant, ...bearer, scopes: SCOPES, seconds: SECONDS });
  return (await tokens.verify(token)) === undefined ? undefined : token;
}
