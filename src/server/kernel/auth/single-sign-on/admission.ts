import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { type Role, seesAllByDefault } from '../../access/index.ts';
import { findLoginById, type LoginRow } from '../login/store.ts';
import type { Admitted } from './claims.ts';
import * as store from './store.ts';

export interface AdmissionRules {
  readonly createsUsers: boolean;
  /** role of created users if the provider does not assign roles */
  readonly defaultRole: Role | undefined;
  readonly linksByEmail: boolean;
}

export type NotAdmitted = 'unknown' | 'tenant' | 'role' | 'disabled';

export interface AdmittedUser {
  readonly user: LoginRow;
  /** change of the account, for the audit trail */
  readonly change: 'none' | 'created' | 'linked' | 'role';
}

/** Finds the local user of an identity of the provider: already linked, linked now by e-mail address, or created. */
export async function admitUser(
  tx: pg.PoolClient,
  identity: store.Identity,
  who: Admitted,
  rules: AdmissionRules,
): Promise<AdmittedUser | { readonly refused: NotAdmitted }> {
  await store.lockIdentity(tx, identity);
  const linked = await store.findLinked(tx, identity);
  // an identity that the provider moved to another tenant does not keep its user
  if (linked !== undefined && linked.tenant !== who.tenant) return { refused: 'tenant' };
  const tenantId = linked?.tenantId ?? (await store.findTenant(tx, who.tenant));
  if (tenantId === undefined) return { refused: 'tenant' };
  const found = linked === undefined ? await enter(tx, identity, who, rules, tenantId) : { userId: linked.userId };
  if ('refused' in found) return found;
  const user = await findLoginById(tx, tenantId, found.userId);
  if (user?.active !== true) return { refused: 'disabled' };
  const change = 'change' in found ? found.change : 'none';
  if (who.role === undefined || who.role === user.role) return { user, change };
  // as the API refuses it: without an administrator nobody could manage the tenant
  if (user.role === 'admin' && !(await store.hasOtherAdmin(tx, tenantId, user.id))) return { user, change };
  const allVehicles = seesAllByDefault(who.role);
  await store.setRole(tx, user.id, who.role, allVehicles);
  return { user: { ...user, role: who.role, allVehicles }, change: change === 'none' ? 'role' : change };
}

type Entered = { readonly userId: string; readonly change: 'created' | 'linked' } | { readonly refused: NotAdmitted };

async function enter(
  tx: pg.PoolClient,
  identity: store.Identity,
  who: Admitted,
  rules: AdmissionRules,
  tenantId: number,
): Promise<Entered> {
  if (rules.linksByEmail && who.email !== undefined) {
    const userId = await store.findByEmail(tx, tenantId, who.email, identity.issuer);
    if (userId !== undefined) {
      await store.link(tx, identity, tenantId, userId);
      return { userId, change: 'linked' };
    }
  }
  if (!rules.createsUsers) return { refused: 'unknown' };
  const role = who.role ?? rules.defaultRole;
  if (role === undefined) return { refused: 'role' };
  const id = `usr_${randomBytes(9).toString('hex')}`;
  const { name = null, email = null } = who;
  const user = { id, tenantId, name, email, role, allVehicles: seesAllByDefault(role) };
  for (const username of usernamesFor(identity, who.username)) {
    if (!(await store.insertUser(tx, { ...user, username }))) continue;
    await store.link(tx, identity, tenantId, id);
    return { userId: id, change: 'created' };
  }
  return { refused: 'unknown' };
}

/** Candidate user names: the wanted one, then one with a suffix in case the first is taken. */
function usernamesFor({ issuer, subject }: store.Identity, wanted: string | undefined): string[] {
  const print = createHash('sha256').update(`${issuer} ${subject}`).digest('hex').slice(0, 8);
  const isReserved =
    wanted === undefined || wanted === '' || /^(me|api|history|badge|export|import|usr_.*)$/.test(wanted);
  return isReserved ? [`sso-${print}`] : [wanted, `${wanted}-${print}`];
}
