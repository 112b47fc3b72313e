/** A project of a registry. Its code is installed by the test, never copied. */
interface Project {
  readonly name: string;
  readonly version: string;
  readonly protocol: string;
  readonly registry: 'npm' | 'pypi' | 'crates';
}

/** Its parser reads the frames of our fixtures, and must find the positions that we find. */
export interface Reader extends Project {
  readonly registry: 'npm' | 'crates';
  /** of the fixtures that it reads; TCP unless given */
  readonly transport?: 'udp';
  /** whether it reads the commands that we send */
  readonly hasCommands?: true;
  /** positions that both have read, at least: a comparison of nothing proves nothing */
  readonly atLeast: number;
  /** whether the replies that it would send are compared */
  readonly hasReplies?: true;
  /** what it reads otherwise, by the file of the fixture, and why it is wrong there */
  readonly wrong: Readonly<Record<string, string>>;
}

const LOCAL_TIME = 'it knows no time zone of a device';
const UNKNOWN_DEVICE = 'it acknowledges a device that has not said who it is';
const BUS_SPEED = 'we prefer the speed of the vehicle’s bus where the record has it';
const UNSIGNED = 'it reads a number below zero as an unsigned one';
const ONE_LAYOUT = 'it reads the fields of this message at the places of another model';

export const READERS: readonly Reader[] = [
  {
    name: 'gt06',
    version: '1.0.12',
    registry: 'npm',
    protocol: 'gt06',
    atLeast: 20,
    wrong: { 'login-timezone.json': LOCAL_TIME, 'timezone.json': LOCAL_TIME },
  },
  {
    name: 'gps103',
    version: '1.0.6',
    registry: 'npm',
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
    registry: 'npm',
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
  { name: 'meitrack-parser', version: '2.0.0', registry: 'npm', protocol: 'meitrack', atLeast: 1, wrong: {} },
  {
    name: 'complete-teltonika-parser',
    version: '0.3.4',
    registry: 'npm',
    protocol: 'teltonika',
    atLeast: 20,
    hasReplies: true,
    wrong: {
      'elements-fmb.json': BUS_SPEED,
      'odd-values.json': UNSIGNED,
      'before-login.json': UNKNOWN_DEVICE,
    },
  },
  { name: 'teltonika-parser', version: '0.0.15', registry: 'npm', protocol: 'teltonika', atLeast: 4, wrong: {} },
  {
    name: 'gt06-parser',
    version: '1.1.1',
    registry: 'npm',
    protocol: 'gt06',
    atLeast: 5,
    wrong: { 'login-timezone.json': LOCAL_TIME, 'timezone.json': LOCAL_TIME },
  },
  { name: 'tk10x-parser', version: '1.0.3', registry: 'npm', protocol: 'gps103', atLeast: 5, wrong: {} },
  { name: 'tz-parser', version: '3.1.3', registry: 'npm', protocol: 'totem', atLeast: 1, wrong: {} },
  {
    name: 'cellocator-parser',
    version: '2.2.9',
    registry: 'npm',
    protocol: 'cellocator',
    atLeast: 1,
    hasReplies: true,
    wrong: {},
  },
  {
    name: 'gt06',
    version: '0.4.0',
    registry: 'crates',
    protocol: 'gt06',
    atLeast: 10,
    hasReplies: true,
    wrong: {
      'login-timezone.json': LOCAL_TIME,
      'timezone.json': LOCAL_TIME,
      'before-login.json': UNKNOWN_DEVICE,
    },
  },
  {
    name: 'nom-teltonika',
    version: '0.3.0',
    registry: 'crates',
    protocol: 'teltonika',
    atLeast: 20,
    hasReplies: true,
    hasCommands: true,
    wrong: { 'elements-fmb.json': BUS_SPEED, 'before-login.json': UNKNOWN_DEVICE },
  },
  {
    name: 'teltonika-rs',
    version: '0.1.1',
    registry: 'crates',
    protocol: 'teltonika',
    atLeast: 4,
    wrong: { 'odd-values.json': UNSIGNED },
  },
  {
    name: 'jt808',
    version: '0.1.1',
    registry: 'crates',
    protocol: 'jt808',
    atLeast: 10,
    wrong: { 'location.json': UNSIGNED },
  },
  {
    name: 'calamp-rs',
    version: '0.2.4',
    registry: 'crates',
    protocol: 'calamp',
    transport: 'udp',
    atLeast: 1,
    wrong: {},
  },
];

/** Its encoder plays a device that reports to a running gateway. */
export interface Device extends Project {
  readonly imei: string;
  /** pinned beside it: its own pin has no wheel for current Pythons */
  readonly requires?: readonly string[];
  /** what it reports whatever it is given; `time` absent where it has no clock */
  readonly always?: Readonly<{ speed?: number; course?: number; altitude?: number; time?: undefined }>;
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
  { name: 'nom-teltonika', version: '0.3.0', registry: 'crates', protocol: 'teltonika', imei: '356307042441099' },
  { name: 'jt808', version: '0.1.1', registry: 'crates', protocol: 'jt808', imei: '13912345699' },
];
