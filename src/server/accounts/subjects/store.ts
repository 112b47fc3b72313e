import type pg from 'pg';
import { becomeTenant, queryAsTenant, transaction } from '../../database/index.ts';

export interface SubjectRow {
  readonly driver: Record<string, unknown>;
  readonly pairings: Record<string, unknown>[];
  readonly expenses: Record<string, unknown>[];
  readonly audit: Record<string, unknown>[];
  readonly account: Record<string, unknown> | null;
  readonly tachograph: Record<string, unknown>;
  readonly [column: string]: unknown;
}

export interface AccountRow {
  readonly account: Record<string, unknown>;
  readonly audit: Record<string, unknown>[];
  readonly [column: string]: unknown;
}

/** The account `u` with its messages and log-ins. Credentials are not included. */
const ACCOUNT = `
  to_jsonb(u) - 'tenant_id' - 'password_hash' || jsonb_build_object(
    'messages', (select coalesce(jsonb_agg(to_jsonb(n) - 'tenant_id' order by n.occurred_at, n.id), '[]')
                 from notification n where n.user_id = u.id),
    'rules', (select coalesce(jsonb_agg(r.data order by r.name), '[]')
              from notification_rule_user m join notification_rule r on r.id = m.rule_id where m.user_id = u.id),
    'sessions', (select coalesce(jsonb_agg(to_jsonb(s) - 'tenant_id' order by s.created_at), '[]')
                 from auth_session s where s.user_id = u.id),
    'pushTargets', (select coalesce(jsonb_agg(to_jsonb(t) - 'tenant_id' - 'keys' order by t.created_at), '[]')
                    from push_target t where t.user_id = u.id))`;

/** All stored data of a user, by id or user name. */
export async function readAccount(app: pg.Pool, tenantId: number, name: string): Promise<AccountRow | undefined> {
  const rows = await queryAsTenant<AccountRow>(app, tenantId, {
    text: `
      select ${ACCOUNT} as account,
             (select coalesce(jsonb_agg(jsonb_build_object('at', a.at, 'action', a.action, 'object', a.object)
                                        order by a.id), '[]')
              from audit a where a.actor = u.id or a.object = u.id) as audit
      from app_user u where u.tenant_id = $1 and (u.id = $2 or u.username = lower($2))`,
    values: [tenantId, name],
  });
  return rows[0];
}

/** All personal data of a driver; positions belong to vehicles and are found by the pairings. */
export async function readSubject(app: pg.Pool, tenantId: number, driverId: string): Promise<SubjectRow | undefined> {
  const rows = await queryAsTenant<SubjectRow>(app, tenantId, {
    text: `
      select to_jsonb(r) - 'tenant_id' as driver,
             (select coalesce(jsonb_agg(jsonb_build_object('targa', v.targa, 'from', p.valid_from, 'to', p.valid_to,
                                                           'source', p.source) order by p.valid_from), '[]')
              from pairing p join vehicle v on v.id = p.vehicle_id where p.driver_id = r.id) as pairings,
             (select coalesce(jsonb_agg(to_jsonb(e) - 'tenant_id' order by e.spent_at), '[]')
              from expense e where e.driver_id = r.id) as expenses,
             (select coalesce(jsonb_agg(jsonb_build_object('at', a.at, 'action', a.action, 'object', a.object)
                                        order by a.id), '[]')
              from audit a where a.actor = r.user_id or a.object in (r.id, r.user_id)) as audit,
             jsonb_build_object(
               'files', (select coalesce(jsonb_agg(to_jsonb(f) - 'tenant_id' order by f.id), '[]')
                         from ddd_file f where f.driver_id = r.id),
               'days', (select coalesce(jsonb_agg(d.content || jsonb_build_object('day', d.day) order by d.day), '[]')
                        from driver_day d where d.driver_id = r.id),
               'payroll', (select coalesce(jsonb_agg(d.content || jsonb_build_object('day', d.day) order by d.day), '[]')
                           from payroll_day d where d.driver_id = r.id),
               'infringements', (select coalesce(jsonb_agg(to_jsonb(i) - 'tenant_id' order by i.began), '[]')
                                 from infringement i where i.driver_id = r.id),
               'letters', (select coalesce(jsonb_agg(to_jsonb(l) - 'tenant_id' order by l.id), '[]')
                           from driver_letter l where l.driver_id = r.id),
               'attestations', (select coalesce(jsonb_agg(to_jsonb(a) - 'tenant_id' order by a.id), '[]')
                                from driver_attestation a where a.driver_id = r.id),
               'absences', (select coalesce(jsonb_agg(to_jsonb(b) - 'tenant_id' order by b.id), '[]')
                            from driver_absence b where b.driver_id = r.id),
               'corrections', (select coalesce(jsonb_agg(to_jsonb(c) - 'tenant_id' order by c.id), '[]')
                               from driver_correction c where c.driver_id = r.id),
               'transports', (select coalesce(jsonb_agg(to_jsonb(t) - 'tenant_id' order by t.id), '[]')
                              from driver_transport t where t.driver_id = r.id)) as tachograph,
             (select ${ACCOUNT} from app_user u where u.id = r.user_id) as account
      from driver r where r.tenant_id = $1 and r.id = $2`,
    values: [tenantId, driverId],
  });
  return rows[0];
}

/** Erases the identity of the driver: pairings are kept under a pseudonym, the account and its sessions are removed. */
export function eraseSubject(app: pg.Pool, tenantId: number, driverId: string): Promise<boolean> {
  return transaction(app, async (tx) => {
    await tx.query(becomeTenant(tenantId));
    const { rows } = await tx.query<{ userId: string | null }>(
      'select user_id as "userId" from driver where tenant_id = $1 and id = $2 for update',
      [tenantId, driverId],
    );
    if (rows[0] === undefined) return false;
    await tx.query(
      `update driver set name = 'erased', email = null, phone = null, licence_number = null, card_number = null,
         unique_id = null, keys = '[]', user_id = null, tax_code = null, employee_number = null, residence_nation = null, version = version + 1, updated_at = now()
       where tenant_id = $1 and id = $2`,
      [tenantId, driverId],
    );
    // tachograph data are kept for a year by law, and those of working time for two (165/2014, 33; 2002/15, 9)
    await tx.query(
      `delete from ddd_file where tenant_id = $1 and driver_id = $2
         and greatest(uploaded_at, downloaded_at) < now() - interval '1 year'`,
      [tenantId, driverId],
    );
    await tx.query(
      `delete from driver_day where tenant_id = $1 and driver_id = $2 and day < current_date - interval '2 years'`,
      [tenantId, driverId],
    );
    await tx.query(
      `update driver_correction set reason = 'erased', revoked_reason = case when revoked_at is not null then 'erased' end
       where tenant_id = $1 and driver_id = $2`,
      [tenantId, driverId],
    );
    await tx.query(
      `update driver_transport set reference = '', revoked_reason = case when revoked_at is not null then 'erased' end
       where tenant_id = $1 and driver_id = $2`,
      [tenantId, driverId],
    );
    // attestations consist of personal data
    await tx.query(
      `update driver_attestation set revoked_reason = case when revoked_at is not null then 'erased' end,
         content = jsonb_set(content, '{driver}', content -> 'driver' ||
           '{"name": "erased", "document": "erased", "birthDate": "1900-01-01"}')
       where tenant_id = $1 and driver_id = $2`,
      [tenantId, driverId],
    );
    await tx.query('update driver_absence set note = null where tenant_id = $1 and driver_id = $2', [
      tenantId,
      driverId,
    ]);
    await tx.query('update infringement set note = null where tenant_id = $1 and driver_id = $2', [tenantId, driverId]);
    await tx.query(
      `update driver_letter set note = null, content = jsonb_set(content, '{driver,name}', '"erased"')
       where tenant_id = $1 and driver_id = $2`,
      [tenantId, driverId],
    );
    await tx.query('update expense set note = null where tenant_id = $1 and driver_id = $2', [tenantId, driverId]);
    if (rows[0].userId !== null) {
      await tx.query('delete from app_user where tenant_id = $1 and id = $2', [tenantId, rows[0].userId]);
    }
    return true;
  });
}
