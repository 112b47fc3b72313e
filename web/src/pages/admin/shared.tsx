import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ROLES } from '../../lists.ts';
import { useSession } from '../../session.tsx';

export type Role = (typeof ROLES)[number];

/** Roles that may not more than the user, who could not give them. */
export function useGrantable(): readonly Role[] {
  const { may } = useSession();
  return ROLES.filter((role) => role !== 'admin' || may('commands:privileged'));
}

export function AdminPage({ title, children }: { title: string; children: ReactNode }) {
  const { t, may } = useSession();
  return (
    <div className="page">
      <h1>{title}</h1>
      <nav className="tabs" aria-label={t('nav.admin')}>
        <Link to="/admin/users">{t('admin.users')}</Link>
        <Link to="/admin/keys">{t('admin.keys')}</Link>
        <Link to="/admin/settings">{t('admin.settings')}</Link>
        {may('tenants:read') && <Link to="/admin/tenants">{t('admin.tenants')}</Link>}
        <Link to="/admin/audit">{t('admin.audit')}</Link>
      </nav>
      {children}
    </div>
  );
}

/** Trimmed text of a field; undefined if it is empty. */
export function textOf(form: FormData, name: string): string | undefined {
  const value = String(form.get(name) ?? '').trim();
  return value === '' ? undefined : value;
}

/** Entries that are separated by commas, spaces or line ends. */
export const entriesOf = (text: string | undefined): string[] => (text ?? '').split(/[\s,;]+/).filter(Boolean);
