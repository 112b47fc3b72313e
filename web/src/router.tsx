import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Home, Layout, Missing } from './layout.tsx';
import { CommandPage } from './pages/command.tsx';
import { CommandsPage } from './pages/commands.tsx';
import { DevicePage } from './pages/device.tsx';
import { DevicesPage } from './pages/devices.tsx';
import { MapPage } from './pages/map.tsx';
import { VehiclePage } from './pages/vehicle.tsx';

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

/** Only members that are there: they are what the URL shows. */
function textsOf<K extends string>(
  search: Record<string, unknown>,
  keys: readonly K[],
): { [k in K]?: string | undefined } {
  return Object.fromEntries(keys.flatMap((key) => (text(search[key]) ? [[key, text(search[key])]] : []))) as {
    [k in K]?: string | undefined;
  };
}

const root = createRootRoute({ component: Layout, notFoundComponent: Missing });
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: Home,
});
const map = createRoute({
  getParentRoute: () => root,
  path: '/map',
  validateSearch: (search) => textsOf(search, ['q', 'status', 'group', 'alarms', 'vehicle', 'follow'] as const),
  component: MapPage,
});
const vehicle = createRoute({
  getParentRoute: () => root,
  path: '/vehicles/$targa',
  validateSearch: (search) => textsOf(search, ['day', 'trip'] as const),
  component: VehiclePage,
});
const commands = createRoute({
  getParentRoute: () => root,
  path: '/commands',
  validateSearch: (search) => ({
    // an empty group: one is still to be chosen
    ...textsOf(search, ['imei', 'status', 'group', 'batch'] as const),
    ...(search['group'] === '' && { group: '' }),
  }),
  component: CommandsPage,
});
const devices = createRoute({
  getParentRoute: () => root,
  path: '/devices',
  validateSearch: (search) => textsOf(search, ['state'] as const),
  component: DevicesPage,
});
const setup = createRoute({
  getParentRoute: () => root,
  path: '/devices/setup',
  validateSearch: (search) => textsOf(search, ['q', 'protocol'] as const),
  component: lazyRouteComponent(() => import('./pages/devices/setup.tsx'), 'SetupPage'),
});
const device = createRoute({
  getParentRoute: () => root,
  path: '/devices/$imei',
  validateSearch: (search) => textsOf(search, ['minutes', 'frame'] as const),
  component: DevicePage,
});
const share = createRoute({
  getParentRoute: () => root,
  path: '/share',
  validateSearch: (search) => textsOf(search, ['targa'] as const),
  component: lazyRouteComponent(() => import('./pages/share.tsx'), 'SharePage'),
});
const alarms = createRoute({
  getParentRoute: () => root,
  path: '/alarms',
  validateSearch: (search) => textsOf(search, ['severity', 'type', 'state'] as const),
  component: lazyRouteComponent(() => import('./pages/alarms/inbox.tsx'), 'AlarmsPage'),
});
const rules = createRoute({
  getParentRoute: () => root,
  path: '/rules',
  component: lazyRouteComponent(() => import('./pages/alarms/rules.tsx'), 'RulesPage'),
});
const rule = createRoute({
  getParentRoute: () => root,
  path: '/rules/$id',
  component: lazyRouteComponent(() => import('./pages/alarms/rule.tsx'), 'RulePage'),
});
const operations = createRoute({
  getParentRoute: () => root,
  path: '/operations',
  validateSearch: (search) => textsOf(search, ['stream'] as const),
  component: lazyRouteComponent(() => import('./pages/operations.tsx'), 'OperationsPage'),
});
const setAside = createRoute({
  getParentRoute: () => root,
  path: '/operations/set-aside',
  validateSearch: (search) => textsOf(search, ['gateway', 'imei', 'record'] as const),
  component: lazyRouteComponent(() => import('./pages/operations/set-aside.tsx'), 'SetAsidePage'),
});
const tachograph = createRoute({
  getParentRoute: () => root,
  path: '/tachograph',
  component: lazyRouteComponent(() => import('./pages/tachograph/board.tsx'), 'BoardPage'),
});
const driverCalendar = createRoute({
  getParentRoute: () => root,
  path: '/tachograph/drivers/$id',
  validateSearch: (search) => textsOf(search, ['month'] as const),
  component: lazyRouteComponent(() => import('./pages/tachograph/calendar.tsx'), 'CalendarPage'),
});
const tachographNotices = createRoute({
  getParentRoute: () => root,
  path: '/tachograph/notices',
  validateSearch: (search) => textsOf(search, ['driver', 'kind', 'from', 'to'] as const),
  component: lazyRouteComponent(() => import('./pages/tachograph/notices.tsx'), 'NoticesPage'),
});
const tachographPosting = createRoute({
  getParentRoute: () => root,
  path: '/tachograph/posting',
  validateSearch: (search) => textsOf(search, ['from', 'to'] as const),
  component: lazyRouteComponent(() => import('./pages/tachograph/posting.tsx'), 'PostingPage'),
});
const tachographSettings = createRoute({
  getParentRoute: () => root,
  path: '/tachograph/settings',
  component: lazyRouteComponent(() => import('./pages/tachograph/settings.tsx'), 'SettingsPage'),
});
const tachographFiles = createRoute({
  getParentRoute: () => root,
  path: '/tachograph/files',
  validateSearch: (search) => textsOf(search, ['state'] as const),
  component: lazyRouteComponent(() => import('./pages/tachograph/files.tsx'), 'FilesPage'),
});
const tachographFile = createRoute({
  getParentRoute: () => root,
  path: '/tachograph/files/$id',
  component: lazyRouteComponent(() => import('./pages/tachograph/file.tsx'), 'FilePage'),
});
const infringements = createRoute({
  getParentRoute: () => root,
  path: '/tachograph/infringements',
  validateSearch: (search) => textsOf(search, ['driver', 'severity', 'status', 'from', 'to'] as const),
  component: lazyRouteComponent(() => import('./pages/tachograph/infringements.tsx'), 'InfringementsPage'),
});
const letters = createRoute({
  getParentRoute: () => root,
  path: '/tachograph/letters',
  validateSearch: (search) => textsOf(search, ['state'] as const),
  component: lazyRouteComponent(() => import('./pages/tachograph/letters.tsx'), 'LettersPage'),
});
const payroll = createRoute({
  getParentRoute: () => root,
  path: '/tachograph/payroll',
  validateSearch: (search) => textsOf(search, ['month'] as const),
  component: lazyRouteComponent(() => import('./pages/tachograph/payroll.tsx'), 'PayrollPage'),
});
const users = createRoute({
  getParentRoute: () => root,
  path: '/admin/users',
  validateSearch: (search) => textsOf(search, ['q', 'role'] as const),
  component: lazyRouteComponent(() => import('./pages/admin/users.tsx'), 'UsersPage'),
});
const user = createRoute({
  getParentRoute: () => root,
  path: '/admin/users/$id',
  component: lazyRouteComponent(() => import('./pages/admin/user.tsx'), 'UserPage'),
});
const keys = createRoute({
  getParentRoute: () => root,
  path: '/admin/keys',
  component: lazyRouteComponent(() => import('./pages/admin/keys.tsx'), 'KeysPage'),
});
const tenants = createRoute({
  getParentRoute: () => root,
  path: '/admin/tenants',
  component: lazyRouteComponent(() => import('./pages/admin/tenants.tsx'), 'TenantsPage'),
});
const tenantSettings = createRoute({
  getParentRoute: () => root,
  path: '/admin/settings',
  component: lazyRouteComponent(() => import('./pages/admin/settings.tsx'), 'SettingsPage'),
});
const audit = createRoute({
  getParentRoute: () => root,
  path: '/admin/audit',
  validateSearch: (search) => textsOf(search, ['day', 'actor', 'action', 'object'] as const),
  component: lazyRouteComponent(() => import('./pages/admin/audit.tsx'), 'AuditPage'),
});
const reports = createRoute({
  getParentRoute: () => root,
  path: '/reports',
  validateSearch: (search) => textsOf(search, ['state'] as const),
  component: lazyRouteComponent(() => import('./pages/reports.tsx'), 'ReportsPage'),
});
const command = createRoute({ getParentRoute: () => root, path: '/commands/$id', component: CommandPage });

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    map,
    vehicle,
    devices,
    setup,
    device,
    commands,
    command,
    share,
    alarms,
    rules,
    rule,
    operations,
    setAside,
    tachograph,
    driverCalendar,
    tachographFiles,
    tachographNotices,
    tachographPosting,
    tachographSettings,
    tachographFile,
    infringements,
    letters,
    payroll,
    reports,
    users,
    user,
    keys,
    tenants,
    tenantSettings,
    audit,
  ]),
  basepath: '/console',
  // values as they are, without quotes: IMEIs are digits
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const query = new URLSearchParams(
      Object.entries(search).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
    ).toString();
    return query === '' ? '' : `?${query}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
