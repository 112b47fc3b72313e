import type { Queryable } from '../../../database/index.ts';
import type { Role } from '../../access/index.ts';

export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

export interface LinkedUser {
  readonly tenantId: number;
  readonly tenant: string;
  readonly userId: string;
}

/** Serializes concurrent logins of one identity, so that only one user is created. */
export async function lockIdentity(tx: Queryable, { issuer, subject }: Identity): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`sign-on ${issuer} ${subject}`]);
}

export async function findLinked(db: Queryable, { issuer, subject }: Identity): Promise<LinkedUser | undefined> {
  const { rows } = await db.query<LinkedUser>(
    `select i.tenant_id as "tenantId", t.name as tenant, i.user_id as "userId"
     from user_identity i join tenant t on t.tenant_id = i.tenant_id where i.issuer = $1 and i.subject = $2`,
    [issuer, subject],
  );
  return rows[0];
}

export async function findTenant(db: Queryable, name: string): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(
    'select tenant_id as id from tenant where name = $1 and is_tenant_active(tenant_id)',
    [name],
  );
  return rows[0]?.id;
}

/**
 * The only user of the tenant with this e-mail address; undefined if disabled or already linked to another identity
 * of the issuer.
 */
export async function findByEmail(
  db: Queryable,
  tenantId: number,
  email: string,
  issuer: string,
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string; active: boolean; linked: boolean }>(
    `select u.id, u.active, exists (select from user_identity i where i.user_id = u.id and i.issuer = $3) as linked
     from app_user u where u.tenant_id = $1 and u.email = $2 limit 2`,
    [tenantId, email, issuer],
  );
  const [user, ...others] = rows;
  return user?.active === true && !user.linked && others.length === 0 ? user.id : undefined;
}

/** Locks the administrators of the tenant until the end of the transaction, so that two demotions by providers see each other. */
export async function hasOtherAdmin(tx: Queryable, tenantId: number, userId: string): Promise<boolean> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from app_user where tenant_id = $1 and role = 'admin' and active order by id for update`,
    [tenantId],
  );
  return rows.some(({ id }) => id !== userId);
}

export async function link(
  db: Queryable,
  { issuer, subject }: Identity,
  tenantId: number,
  userId: string,
): Promise<void> {
  await db.query('insert into user_identity (issuer, subject, tenant_id, user_id) values ($1, $2, $3, $4)', [
    issuer,
    subject,
    tenantId,
    userId,
  ]);
}

export interface NewSignOnUser {
  readonly id: string;
  readonly tenantId: number;
  readonly username: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly role: Role;
  readonly allVehicles: boolean;
}

/** False if the user name is taken. */
export async function insertUser(db: Queryable, user: NewSignOnUser): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into app_user (id, tenant_id, username, name, email, role, all_vehicles)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (tenant_id, username) do nothing`,
    [user.id, user.tenantId, user.username, user.name, user.email, user.role, user.allVehicles],
  );
  return rowCount === 1;
}

/** Sets the role and resets access to all vehicles to the default of the role. */
export async function setRole(db: Queryable, userId: string, role: Role, allVehicles: boolean): Promise<void> {
  await db.query(
    `update app_user set role = $2, all_vehicles = $3, version = version + 1, updated_at = now() where id = $1`,
    [userId, role, allVehicles],
  );
}

export interface SignOnSession extends Identity {
  readonly sessionId: string;
  readonly tenantId: number;
  readonly sid: string | null;
  readonly idToken: string;
}

export async function insertSignOnSession(db: Queryable, session: SignOnSession): Promise<void> {
  await db.query(
    `insert into sign_on_session (session_id, tenant_id, issuer, subject, sid, id_token)
     values ($1, $2, $3, $4, $5, $6)`,
    [session.sessionId, session.tenantId, session.issuer, session.subject, session.sid, session.idToken],
  );
}

/** The encrypted ID token. */
export async function findIdToken(db: Queryable, sessionId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ idToken: string }>(
    'select id_token as "idToken" from sign_on_session where session_id = $1',
    [sessionId],
  );
  return rows[0]?.idToken;
}

/** Local sessions of a provider session or, if no session is given, all of a subject. */
export async function listSignOnSessions(
  db: Queryable,
  issuer: string,
  by: { readonly subject: string | undefined; readonly sid: string | undefined },
): Promise<{ sessionId: string; tenantId: number; userId: string }[]> {
  const { rows } = await db.query<{ sessionId: string; tenantId: number; userId: string }>(
    `select o.session_id as "sessionId", o.tenant_id as "tenantId", s.user_id as "userId"
     from sign_on_session o join auth_session s on s.id = o.session_id
     where o.issuer = $1 and ($2::text is null or o.subject = $2) and ($3::text is null or o.sid = $3)
       and s.revoked_at is null`,
    [issuer, by.subject ?? null, by.sid ?? null],
  );
  return rows;
}

/** The first administrator or, if removed or disabled, the oldest one. */
export async function readFirstAdmin(db: Queryable, tenantId: number): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    `select u.id from app_user u left join first_administrator f on f.user_id = u.id
     where u.tenant_id = $1 and u.role = 'admin' and u.active order by f.user_id is null, u.created_at, u.id limit 1`,
    [tenantId],
  );
  return rows[0]?.id;
}
