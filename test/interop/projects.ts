/** A project of a registry. Its code is installed by the test, never copied. */
interface Project {
  readonly name: string;
  readonly version: string;
  readonly protocol: string;
}

/** Its parser reads the frames of our fixtures, and must find the positions that we find. */
export interface Reader extends Project {
  /** positions that both have read, at least: a comparison of nothing proves nothing */
  readonly atLeast: number;
  /** whether the replies that it would send are compared */
  readonly hasReplies?: true;
  /** what it reads otherwise, by the file of the fixture, and why it is wrong there */
  readonly wrong: Readonly<Record<string, string>>;
}

const LOCAL_TIME = 'it knows no time zone of a device';
const ONE_LAYOUT = 'it reads the fields of this message at the places of another model';

export const READERS: readonly Reader[] = [
  {
    name: 'gt06',
    version: '1.0.12',
    protocol: 'gt06',
    atLeast: 20,
    wrong: { 'login-timezone.json': LOCAL_TIME, 'timezone.json': LOCAL_TIME },
  },
  {
    name: 'gps103',
    version: '1.0.6',
    protocol: 'gps103',
    atLeast: 15,
    hasReplies: true,
    wrong: {
      'reports.json': 'it reads a southern or western hemisphere before the number as a northern or eastern one',
    },
  },
  {
    name: 'queclink-parser',
    version: '1.4.1',
    protocol: 'gl200text',
    atLeast: 40,
    wrong: {
      'fri-other.json': ONE_LAYOUT,
      'generic-1.json': ONE_LAYOUT,
      'generic-alarms-2.json': ONE_LAYOUT,
      'generic-alarms-3.json': ONE_LAYOUT,
      'obd.json': ONE_LAYOUT,
      'send-time.json': 'the option `ignoreFixTime` is ours',
    },
  },
  { name: 'meitrack-parser', version: '2.0.0', protocol: 'meitrack', atLeast: 1, wrong: {} },
  {
    name: 'complete-teltonika-parser',
    version: '0.3.4',
    protocol: 'teltonika',
    atLeast: 20,
    hasReplies: true,
    wrong: {
      'elements-fmb.json': 'we prefer the speed of the vehicle’s bus where the record has it',
      'odd-values.json': 'it reads an altitude below the sea as an unsigned number',
      'before-login.json': 'it acknowledges records of a device that has not said who it is',
    },
  },
  { name: 'teltonika-parser', version: '0.0.15', protocol: 'teltonika', atLeast: 4, wrong: {} },
];

/** Its encoder plays a device that reports to a running gateway. */
export interface Device extends Project {
  readonly registry: 'npm' | 'pypi';
  readonly imei: string;
  /** pinned beside it: its own pin has no wheel for current Pythons */
  readonly requires?: readonly string[];
}

export const DEVICES: readonly Device[] = [
  { name: 'gps103', version: '1.0.6', registry: 'npm', protocol: 'gps103', imei: '353451044508751' },
  {
    name: 'galileosky',
    version: '0.10.2',
    registry: 'pypi',
    protocol: 'galileo',
    imei: '861234567890123',
    requires: ['libscrc==1.8.1'],
  },
  { name: 'omnicomm', version: '0.4.1', registry: 'pypi', protocol: 'omnicomm', imei: '202000013' },
];
