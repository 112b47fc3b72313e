import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { avroOf } from '../../src/server/live/brokers/avro/message.ts';
import { retransmitted } from '../support/retransmitted.ts';

/** The Avro implementation of PyPI that reads what streams to Kafka write. */
const FASTAVRO = 'fastavro==1.12.1';
const FOLDER = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'interop', 'fastavro');
const isWanted = process.env['FLEETGATE_INTEROP'] !== undefined || process.env['FLEETGATE_TEST_ALL'] !== undefined;
if (!isWanted) process.stdout.write('left out: fastavro (npm run interop installs it)\n');

const run = (program: string, args: readonly string[], input = ''): string => {
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout;
};

describe.skipIf(!isWanted)('fastavro', () => {
  const python = join(FOLDER, 'bin', 'python');
  beforeAll(() => {
    mkdirSync(FOLDER, { recursive: true });
    run('python3', ['-m', 'venv', FOLDER]);
    run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', FASTAVRO]);
  }, 600_000);

  const decode = (schema: string, values: readonly Buffer[]) =>
    JSON.parse(
      run(
        python,
        [join(import.meta.dirname, 'tools', 'avro.py')],
        JSON.stringify({
          schema: JSON.parse(readFileSync(`docs/streams/${schema}.avsc`, 'utf8')) as unknown,
          values: values.map((value) => value.toString('hex')),
        }),
      ),
    ) as { fingerprint: string; values: unknown[] };

  test('reads positions by the schema of the documentation, and has its fingerprint', () => {
    const full = {
      targa: 'AB123CD',
      protocol: 'teltonika',
      deviceTime: '2026-05-01T08:00:00.000Z',
      fixTime: '2026-05-01T07:59:59.250Z',
      outdated: true,
      latitude: -33.123456,
      longitude: 151.2,
      altitude: -12.5,
      speed: 52,
      course: 0,
      accuracy: 4,
      network: {
        cells: [
          { mcc: 222, mnc: 1, lac: 65_535, cid: 268_435_455, rssi: -90 },
          { mcc: 222, mnc: 1, lac: 1, cid: 2 },
        ],
        wifi: [{ mac: '00:11:22:33:44:55' }],
      },
      attributes: { ignition: true, power: 12.61, event: -5, note: 'ünï ✓', large: 1e300 },
    };
    const messages = [
      retransmitted('356307042441013', full),
      { ...retransmitted('a', {}), kind: 'alarm' as const },
    ].map(avroOf);
    const { fingerprint, values } = decode(
      'position',
      messages.map(({ value }) => value),
    );
    expect(messages.map((message) => message.fingerprint)).toEqual([fingerprint, fingerprint]);
    const { network, ...others } = full;
    expect(values[0]).toEqual({
      ...others,
      id: 'a'.repeat(22),
      type: 'fleetgate.position',
      tenant: 'default',
      imei: '356307042441013',
      serverTime: '2026-05-01T08:00:05.000Z',
      valid: true,
      cells: [network.cells[0], { ...network.cells[1], rssi: null }],
      accessPoints: [{ ...network.wifi[0], rssi: null }],
    });
    expect(values[1]).toMatchObject({
      type: 'fleetgate.alarm',
      latitude: null,
      speed: null,
      targa: null,
      outdated: false,
      cells: [],
      attributes: {},
    });
  });

  test('reads other events', () => {
    const session = { ...retransmitted('a', {}), kind: 'session' as const, at: 1_777_622_400_000 };
    const { value, fingerprint: ours } = avroOf({ ...session, body: '{"data":{"state":"connected"}}' });
    const { fingerprint, values } = decode('event', [value]);
    expect(ours).toBe(fingerprint);
    expect(values).toEqual([
      {
        id: session.id,
        type: 'fleetgate.session',
        tenant: 'default',
        imei: 'a',
        time: '2026-05-01T08:00:00.000Z',
        data: '{"state":"connected"}',
      },
    ]);
  });
});
