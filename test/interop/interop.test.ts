import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadFixtures } from '../support/fixtures.ts';
import { type System, startSystem } from '../support/system.ts';
import { DEVICES, type Device, READERS, type Reader } from './projects.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, 'node_modules', '.cache', 'interop');
const isWanted = process.env['FLEETGATE_INTEROP'] !== undefined || process.env['FLEETGATE_TEST_ALL'] !== undefined;
if (!isWanted) process.stdout.write('left out: other projects’ parsers and devices (npm run interop installs them)\n');

interface Reading {
  readonly latitude: number;
  readonly longitude: number;
  readonly time?: string;
  readonly speed?: number;
  readonly course?: number;
  readonly altitude?: number;
}

interface Read {
  readonly positions: readonly Reading[];
  readonly reply?: string;
}

const run = (program: string, ...args: string[]): void => {
  const { status, stderr } = spawnSync(program, args, { cwd: FOLDER, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
};

const npmFolder = join(FOLDER, 'npm');

function installFromNpm(): void {
  mkdirSync(npmFolder, { recursive: true });
  const packages = [...READERS, ...DEVICES.filter(({ registry }) => registry === 'npm')];
  const names = [...new Set(packages.map(({ name, version }) => `${name}@${version}`))];
  run('npm', 'install', '--prefix', npmFolder, '--no-audit', '--no-fund', '--ignore-scripts', ...names);
}

/** A Python of its own for each project: their requirements exclude each other. Returns its path. */
function installFromPypi({ name, version, requires = [] }: Device): string {
  const folder = join(FOLDER, name);
  run('python3', '-m', 'venv', folder);
  const python = join(folder, 'bin', 'python');
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  if (requires.length > 0) run(python, ...pip, ...requires);
  run(python, ...pip, ...(requires.length > 0 ? ['--no-deps'] : []), `${name}==${version}`);
  return python;
}

const bytesOf = (wire: string): Buffer =>
  wire.startsWith('text:') ? Buffer.from(wire.slice(5), 'latin1') : Buffer.from(wire, 'hex');

function readWith({ name }: Reader, frames: readonly string[]): readonly (Read | null)[] {
  const env = { ...process.env, NODE_PATH: join(npmFolder, 'node_modules') };
  const { stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'tools', 'read.cjs'), name], {
    input: JSON.stringify(frames),
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as (Read | null)[];
}

interface Ours {
  readonly type: string;
  readonly valid?: boolean;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly fixTime?: string;
  readonly deviceTime?: string;
  readonly speed?: number;
  readonly course?: number;
  readonly altitude?: number;
}

const TOLERANCES = { latitude: 1e-4, longitude: 1e-4, speed: 0.6, course: 1, altitude: 1 } as const;

/** The members in which the other project has read something else. */
function differences(theirs: Reading, ours: Ours | undefined): string[] {
  if (ours === undefined) return ['we have no such position'];
  const numbers = Object.entries(TOLERANCES).filter(([member, tolerance]) => {
    const [a, b] = [theirs[member as keyof typeof TOLERANCES], ours[member as keyof typeof TOLERANCES]];
    return typeof a === 'number' && b !== undefined && Math.abs(a - b) > tolerance;
  });
  const time = ours.fixTime ?? ours.deviceTime;
  const isLate =
    theirs.time !== undefined && time !== undefined && Math.abs(Date.parse(theirs.time) - Date.parse(time)) > 1_000;
  return [...numbers.map(([member]) => member), ...(isLate ? ['time'] : [])];
}

describe.skipIf(!isWanted)('parsers of other projects', () => {
  beforeAll(installFromNpm, 300_000);

  for (const reader of READERS) {
    test(`${reader.name} reads the positions of ${reader.protocol} as we do`, () => {
      const frames = loadFixtures(reader.protocol)
        .filter(({ fixture }) => fixture.transport === 'tcp')
        .flatMap(({ name, fixture }) => (fixture.frames ?? []).map((frame) => ({ name, frame })));
      const answers = readWith(
        reader,
        frames.map(({ frame }) => bytesOf(frame.wire).toString('hex')),
      );
      const found = new Map<string, string[]>();
      let same = 0;
      for (const [index, { name, frame }] of frames.entries()) {
        const answer = answers[index];
        if (answer === null || answer === undefined) continue;
        const note = (line: string): void => void found.set(name, [...(found.get(name) ?? []), line]);
        const ours = ((frame.messages ?? []) as readonly Ours[]).filter(
          ({ type, valid, latitude }) => type === 'position' && valid === true && latitude !== undefined,
        );
        if (ours.length > 0) {
          for (const [place, theirs] of answer.positions.entries()) {
            const different = differences(theirs, ours[place]);
            if (different.length === 0) same++;
            else note(`${different.join(', ')} of ${frame.wire}`);
          }
        }
        if (reader.hasReplies === true && answer.reply !== undefined) {
          const replies = frame.replies.map(({ wire }) => bytesOf(wire).toString('hex'));
          if (!replies.includes(answer.reply)) note(`it would reply ${answer.reply} to ${frame.wire}`);
        }
      }
      expect(Object.fromEntries([...found].filter(([name]) => reader.wrong[name] === undefined))).toEqual({});
      // an exception that has become untrue is removed
      expect(Object.keys(reader.wrong).filter((name) => !found.has(name))).toEqual([]);
      expect(same).toBeGreaterThanOrEqual(reader.atLeast);
    });
  }
});

const REPORTED = [
  { latitude: 48.125, longitude: 11.5875, time: '2026-06-01T10:15:30Z', speed: 52, course: 91, altitude: 520 },
  { latitude: -33.25, longitude: -70.5, time: '2026-06-01T10:16:30Z', speed: 60, course: 270, altitude: 521 },
];

describe.skipIf(!isWanted)('devices of other projects', () => {
  let system: System;
  beforeAll(async () => {
    installFromNpm();
    system = await startSystem();
  }, 300_000);
  afterAll(() => system?.stop());

  for (const device of DEVICES) {
    test(`${device.name} reports to the gateway, and is answered as it expects`, async () => {
      const [program, file] =
        device.registry === 'npm' ? [process.execPath, 'device.cjs'] : [installFromPypi(device), 'device.py'];
      const child = spawn(program, [join(import.meta.dirname, 'tools', file), device.name, String(system.devicePort)], {
        env: { ...process.env, NODE_PATH: join(npmFolder, 'node_modules') },
        stdio: ['pipe', 'pipe', 'inherit'],
        timeout: 60_000,
      });
      child.stdin.end(JSON.stringify({ imei: device.imei, positions: REPORTED }));
      // the tool judges the answers itself, and ends without a word if they are wrong
      const answers = JSON.parse(await text(child.stdout)) as string[];
      expect(answers.length).toBeGreaterThanOrEqual(REPORTED.length);
      let items: readonly (Ours & { protocol: string })[] = [];
      while (items.length < REPORTED.length) {
        items = (
          await system.get<{ items: typeof items }>(`/v1/devices/${device.imei}/positions`).catch(() => ({ items: [] }))
        ).items;
        await sleep(50);
      }
      expect(items.map(({ protocol }) => protocol)).toEqual(REPORTED.map(() => device.protocol));
      expect(REPORTED.map((reported, place) => differences(reported, items[place]))).toEqual(REPORTED.map(() => []));
    }, 300_000);
  }
});
