import { readFileSync } from 'node:fs';

/** A project of a registry. Its code is installed by the test, never copied. */
export interface Project {
  readonly name: string;
  readonly version: string;
  readonly protocol: string;
  readonly registry: 'npm' | 'pypi' | 'crates';
  /** pinned beside it: its own pin has no wheel for current Pythons */
  readonly requires?: readonly string[];
  /** its own requirements are replaced in the test, and are not installed */
  readonly bare?: true;
}

/** Its parser reads the frames of our fixtures, and must find the positions that we find. */
export interface Reader extends Project {
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

/** Its encoder plays a device that reports to a running gateway. */
export interface Device extends Project {
  readonly imei: string;
  /** what it reports whatever it is given */
  readonly always?: Readonly<{ speed?: number; course?: number; altitude?: number }>;
  readonly hasNoClock?: true;
  /** the server has nothing to say to it */
  readonly isSilent?: true;
}

/** In JSON, because the pages of the protocols name them too (`npm run docs`). */
const projects = JSON.parse(readFileSync(new URL('./projects.json', import.meta.url), 'utf8')) as {
  readonly readers: readonly Reader[];
  readonly devices: readonly Device[];
};

export const READERS = projects.readers;
export const DEVICES = projects.devices;
