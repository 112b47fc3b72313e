import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommandParameters } from '#codec';
import { loadFixtures } from '../support/fixtures.ts';
import { type System, startSystem } from '../support/system.ts';
import { DEVICES, type Project, READERS, type Reader } from './projects.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, 'node_modules', '.cache', 'interop');
const isWanted = process.env['FLEETGATE_INTEROP'] !== undefined || process.env['FLEETGATE_TEST_ALL'] !== undefined;
if (!isWanted) process.stdout.write('left out: other projects’ parsers and devices (npm run interop installs them)\n');
const hasCargo = isWanted && spawnSync('cargo', ['--version']).status === 0;
if (isWanted && !hasCargo) process.stdout.write('left out: projects of crates.io (cargo is not installed)\n');
const canRun = ({ registry }: { registry: string }): boolean => registry !== 'crates' || hasCargo;

interface Reading {
  readonly latitude: number;
  readonly longitude: number;
  readonly time?: string | undefined;
  readonly speed?: number;
  readonly course?: number;
  readonly altitude?: number;
  readonly attributes?: Readonly<Record<string, number | string>>;
}

interface Read {
  readonly positions: readonly Reading[];
  readonly reply?: string | null;
  /** texts of the commands in a frame of ours */
  readonly commands?: readonly string[];
}

const run = (program: string, ...args: string[]): void => {
  const { status, stderr } = spawnSync(program, args, { cwd: FOLDER, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
};

const npmFolder = join(FOLDER, 'npm');
const crates = join(import.meta.dirname, 'tools', 'crates');
const cratesFolder = join(FOLDER, 'crates');
const cratesProgram = join(cratesFolder, 'debug', 'interop');

/** Parsers and devices, the programs of crates.io included. */
function install(): void {
  installFromNpm();
  if (!hasCargo) return;
  const manifest = join(crates, 'Cargo.toml');
  run('cargo', 'build', '--quiet', '--locked', '--manifest-path', manifest, '--target-dir', cratesFolder);
}

function installFromNpm(): void {
  mkdirSync(npmFolder, { recursive: true });
  const packages = [...READERS, ...DEVICES].filter(({ registry }) => registry === 'npm');
  const names = [...new Set(packages.map(({ name, version }) => `${name}@${version}`))];
  run('npm', 'install', '--prefix', npmFolder, '--no-audit', '--no-fund', '--ignore-scripts', ...names);
}

/** One for all: making a pip takes as long as what it installs. */
let pip: string | undefined;
function installPip(): string {
  const folder = join(FOLDER, 'pip');
  run('python3', '-m', 'venv', folder);
  return join(folder, 'bin', 'pip');
}

/** A Python of its own for each project: their requirements exclude each other. Returns its path. */
function installFromPypi({ name, version, requires = [], bare }: Project): string {
  const folder = join(FOLDER, name);
  run('python3', '-m', 'venv', '--without-pip', folder);
  const python = join(folder, 'bin', 'python');
  pip ??= installPip();
  const install = ['--python', python, 'install', '--quiet', '--disable-pip-version-check', '--no-compile'];
  if (requires.length > 0) run(pip, ...install, ...requires);
  run(pip, ...install, ...(requires.length > 0 || bare === true ? ['--no-deps'] : []), `${name}==${version}`);
  return python;
}

const bytesOf = (wire: string): Buffer =>
  wire.startsWith('text:') ? Buffer.from(wire.slice(5), 'latin1') : Buffer.from(wire, 'hex');

/** The text of a command, which may be given as hex. */
const textOf = ({ data }: CommandParameters): string =>
  /^(?:[0-9a-f]{2}){4,}$/i.test(String(data)) ? Buffer.from(String(data), 'hex').toString('latin1') : String(data);

/** The clock of JT/T 808 is that of China. */
const toolEnvironment = {
  ...process.env,
  NODE_PATH: join(npmFolder, 'node_modules'),
  TZ: 'Asia/Shanghai',
};

function readWith(reader: Reader, frames: readonly string[]): readonly (Read | null)[] {
  const tools = join(import.meta.dirname, 'tools');
  const [program, ...args] = {
    npm: () => [process.execPath, join(tools, 'read.cjs'), reader.name] as const,
    pypi: () => [installFromPypi(reader), join(tools, 'read.py'), reader.name] as const,
    crates: () => [cratesProgram, 'read', reader.name] as const,
  }[reader.registry]();
  const { stdout, stderr } = spawnSync(program, args, {
    input: JSON.stringify(frames),
    env: toolEnvironment,
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
  });
  if (stdout === '') throw new Error(stderr);
  // a parser may print before it
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as (Read | null)[];
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
  readonly attributes?: Readonly<Record<string, unknown>>;
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
  const attributes = Object.entries(theirs.attributes ?? {}).filter(([key, value]) => {
    const other = ours.attributes?.[key];
    if (other === undefined) return false;
    return typeof value === 'number' ? Math.abs(value - Number(other)) > 0.01 : value !== other;
  });
  return [...[...numbers, ...attributes].map(([member]) => member), ...(isLate ? ['time'] : [])];
}

describe.skipIf(!isWanted)('parsers of other projects', () => {
  beforeAll(install, 600_000);

  for (const reader of READERS.filter(canRun)) {
    test(`${reader.name} reads the positions of ${reader.protocol} as we do`, () => {
      const frames = loadFixtures(reader.protocol)
        .filter(({ fixture }) => fixture.transport === (reader.transport ?? 'tcp'))
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
        if (reader.hasReplies === true && typeof answer.reply === 'string') {
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

  for (const reader of READERS.filter(canRun).filter(({ hasCommands }) => hasCommands === true)) {
    test(`${reader.name} reads our commands of ${reader.protocol} as they were given`, () => {
      const commands = loadFixtures(reader.protocol)
        .filter(({ fixture }) => fixture.transport === 'tcp')
        .flatMap(({ fixture }) => (fixture.commands ?? []).filter(({ type }) => type === 'custom'));
      const answers = readWith(
        reader,
        commands.map(({ wire }) => bytesOf(wire).toString('hex')),
      );
      const read = commands.flatMap(({ params }, index) =>
        answers[index] === null ? [] : [{ given: textOf(params), read: answers[index]?.commands?.join('') }],
      );
      expect(read.map((one) => one.read)).toEqual(read.map(({ given }) => given));
      expect(read.length).toBeGreaterThan(0);
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
    install();
    system = await startSystem();
  }, 600_000);
  afterAll(() => system?.stop());

  for (const device of DEVICES.filter(canRun)) {
    test(`${device.name} reports to the gateway, and is answered as it expects`, async () => {
      const tools = join(import.meta.dirname, 'tools');
      const [program, ...args] = {
        npm: () => [process.execPath, join(tools, 'device.cjs')] as const,
        pypi: () => [installFromPypi(device), join(tools, 'device.py')] as const,
        crates: () => [cratesProgram, 'report'] as const,
      }[device.registry]();
      const child = spawn(program, [...args, device.name, String(system.devicePort)], {
        env: toolEnvironment,
        stdio: ['pipe', 'pipe', 'inherit'],
        timeout: 60_000,
      });
      child.stdin.end(JSON.stringify({ imei: device.imei, positions: REPORTED }));
      // the tool judges the answers itself, and ends without a word if they are wrong
      const answers = JSON.parse(await text(child.stdout)) as string[];
      expect(answers.length).toBeGreaterThanOrEqual(device.isSilent === true ? 0 : REPORTED.length);
      let items: readonly (Ours & { protocol: string })[] = [];
      while (items.length < REPORTED.length) {
        items = (
          await system.get<{ items: typeof items }>(`/v1/devices/${device.imei}/positions`).catch(() => ({ items: [] }))
        ).items;
        await sleep(50);
      }
      expect(items.map(({ protocol }) => protocol)).toEqual(REPORTED.map(() => device.protocol));
      const reported = REPORTED.map((position) => ({
        ...position,
        ...device.always,
        ...(device.hasNoClock === true ? { time: undefined } : {}),
      }));
      expect(reported.map((position, place) => differences(position, items[place]))).toEqual(REPORTED.map(() => []));
    }, 300_000);
  }
});
