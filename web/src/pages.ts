import type { Key } from './i18n/en.ts';

type May = (scope: string) => boolean;

interface Subject {
  /** of all its pages */
  readonly path: string;
  readonly title: Key;
  readonly isAllowed: (may: May) => boolean;
  /** in the main navigation */
  readonly isListed?: boolean;
}

const needs =
  (...scopes: string[]) =>
  (may: May): boolean =>
    scopes.every(may);

/** Who sees which pages. The first whose path is the beginning of a page's path applies: longer ones precede. */
export const SUBJECTS = [
  { path: '/map', title: 'nav.map', isAllowed: needs('positions:read'), isListed: true },
  { path: '/vehicles', title: 'map.list', isAllowed: needs('positions:read') },
  { path: '/devices/setup', title: 'device.setup', isAllowed: needs('devices:read') },
  { path: '/devices', title: 'nav.devices', isAllowed: needs('devices:read'), isListed: true },
  { path: '/commands', title: 'nav.commands', isAllowed: needs('commands:read'), isListed: true },
  { path: '/share', title: 'nav.share', isAllowed: needs('positions:read', 'vehicles:read'), isListed: true },
  { path: '/alarms', title: 'nav.alarms', isAllowed: needs('app'), isListed: true },
  { path: '/rules/new', title: 'rule.new', isAllowed: needs('notifications:write') },
  { path: '/rules', title: 'nav.rules', isAllowed: needs('notifications:read'), isListed: true },
  { path: '/reports', title: 'nav.reports', isAllowed: needs('notifications:read'), isListed: true },
  { path: '/tachograph/payroll', title: 'tacho.lul', isAllowed: needs('ddd:read', 'payroll:read') },
  { path: '/tachograph/files', title: 'tacho.files', isAllowed: needs('ddd:read') },
  { path: '/tachograph/infringements', title: 'tacho.infringements', isAllowed: needs('ddd:read') },
  { path: '/tachograph/letters', title: 'tacho.letters', isAllowed: needs('ddd:read') },
  { path: '/tachograph/notices', title: 'tacho.notices', isAllowed: needs('ddd:read') },
  { path: '/tachograph/posting', title: 'posting.title', isAllowed: needs('ddd:read') },
  { path: '/tachograph/settings', title: 'terms.title', isAllowed: needs('ddd:read', 'payroll:read') },
  { path: '/tachograph', title: 'nav.tachograph', isAllowed: needs('ddd:read'), isListed: true },
  { path: '/operations/set-aside', title: 'aside.title', isAllowed: needs('ops') },
  {
    path: '/operations',
    title: 'nav.operations',
    isAllowed: (may) => may('streams:write') || may('users:read') || may('ops'),
    isListed: true,
  },
  { path: '/admin/tenants', title: 'admin.tenants', isAllowed: needs('tenants:read') },
  { path: '/admin/users', title: 'nav.admin', isAllowed: needs('users:read'), isListed: true },
  { path: '/admin/keys', title: 'admin.keys', isAllowed: needs('users:read') },
  { path: '/admin/settings', title: 'admin.settings', isAllowed: needs('users:read') },
  { path: '/admin/audit', title: 'admin.audit', isAllowed: needs('users:read') },
] as const satisfies readonly Subject[];

export const subjectOf = (pathname: string): Subject | undefined =>
  SUBJECTS.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));

/** What follows the path of the subject where people know it: a plate or an IMEI, and no generated id. */
export function objectOf(pathname: string, subject: Subject): string | undefined {
  const rest = decodeURIComponent(pathname.slice(subject.path.length + 1));
  return rest === '' || /[/_]/.test(rest) ? undefined : rest;
}
