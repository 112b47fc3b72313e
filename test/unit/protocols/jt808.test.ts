import { describe, expect, it } from 'vitest';
import { type DeviceOptions, Driver, type DriverStep, fromHex, type Message, toHex, xor8 } from '#codec';
import jt808 from '../../../protocols/jt808/index.ts';

const NOW = Date.UTC(2024, 5, 1, 12);
const PHONE = '013912345678';
const fix = { time: NOW, latitude: 22.5, longitude: 114.25, speed: 60, course: 90, ignition: true };

const hex16 = (n: number): string => n.toString(16).padStart(4, '0');

/** An unescaped frame of a 2013 terminal. */
function frame(type: number, serial: number, body: string, flags = 0, part = ''): Uint8Array {
  const bytes = fromHex(`${hex16(type)}${hex16((body.length / 2) | flags)}${PHONE}${hex16(serial)}${part}${body}`);
  return Uint8Array.from([0x7e, ...bytes, xor8(bytes), 0x7e]);
}

const report = (serial: number): Uint8Array => jt808.simulator.report([fix], PHONE, serial);
const join = (...pieces: Uint8Array[]): Uint8Array => Uint8Array.from(pieces.flatMap((piece) => [...piece]));

const drive = (options: DeviceOptions = {}, deviceId?: string) =>
  new Driver(jt808, { transport: 'tcp', options, ...(deviceId === undefined ? {} : { deviceId }) });

const push = (bytes: Uint8Array, options?: DeviceOptions): DriverStep[] => drive(options).push(bytes, NOW);
const kinds = (steps: readonly DriverStep[]): string[] => steps.map((step) => step.type);
const messages = (steps: readonly DriverStep[]): Message[] =>
  steps.flatMap((s) => (s.type === 'frame' ? [...s.messages] : []));
const replies = (steps: readonly DriverStep[]): string[] =>
  steps.flatMap((s) => ('replies' in s ? s.replies.map((r) => toHex(r.bytes)) : []));

describe('finding frames', () => {
  it('goes on at the delimiter that closed a refused frame', () => {
    // as long as a message may be, without its closing delimiter
    const stray = fromHex(`7e${'0102030405'.repeat(4)}77`);
    expect(kinds(push(join(stray, report(1), report(2))))).toEqual(['bad-checksum', 'frame', 'frame']);
  });

  it('takes two delimiters in a row for an end and a beginning', () => {
    expect(kinds(push(join(Uint8Array.of(0x7e), report(1))))).toEqual(['skipped', 'frame']);
  });

  it('does not lose the frame behind one whose end is missing', () => {
    expect(kinds(push(join(report(1).subarray(0, 20), report(2))))).toEqual(['bad-checksum', 'frame']);
  });

  it('passes over a delimiter of the other form once a session has spoken', () => {
    const driver = drive();
    driver.push(report(1), NOW);
    const noise = fromHex('e70200');
    expect(kinds(driver.push(join(noise, report(2)), NOW))).toEqual(['skipped', 'frame']);
  });

  it('passes over an E7 that begins no message which is known', () => {
    expect(kinds(push(join(fromHex('e7aabb'), report(1))))).toEqual(['skipped', 'frame']);
    expect(drive().push(fromHex('e7aa'), NOW)).toEqual([]);
  });

  it('passes over a bracket that begins no text', () => {
    expect(kinds(push(join(fromHex('2841ff'), report(1)))).at(-1)).toBe('frame');
    const long = new Uint8Array(1100).fill(0x41);
    long[0] = 0x28;
    expect(kinds(push(join(long, report(1)))).at(-1)).toBe('frame');
  });

  it('gives up a frame that does not end, whatever the chunks', () => {
    const endless = new Uint8Array(5000).fill(0x41);
    endless[0] = 0x7e;
    for (const size of [10_000, 7]) {
      const driver = drive();
      const stream = join(endless, report(1), report(2));
      const steps: DriverStep[] = [];
      for (let at = 0; at < stream.length; at += size) steps.push(...driver.push(stream.slice(at, at + size), NOW));
      expect(kinds(steps).filter((kind) => kind === 'frame')).toHaveLength(2);
    }
  });

  it('refuses unknown escapes, and those that the checksum cannot detect', () => {
    // Serial 7e01 goes out as 7d 02 01.
    const wire = toHex(report(0x7e01));
    expect(wire).toContain('7d0201');
    expect(kinds(push(fromHex(wire)))).toEqual(['frame']);
    expect(kinds(push(fromHex(wire.replace('7d0201', '7d0301'))))).not.toContain('frame');
    expect(kinds(push(fromHex(wire.replace('7d0201', '7c0201'))))).not.toContain('frame');
  });

  it('takes lengths that are wrong by more, as vendors send them', () => {
    const body = '0000000000000003015752a006cf4f500023025d005a240601203456300114';
    const bytes = fromHex(`02000063${PHONE}0001${body}`);
    expect(kinds(push(Uint8Array.from([0x7e, ...bytes, xor8(bytes), 0x7e])))).toEqual(['frame']);
  });

  it('requires a header of a lenient device too', () => {
    expect(kinds(push(join(fromHex('7e0102037e'), report(1)), { lenientChecksum: true })).at(-1)).toBe('frame');
  });
});

describe('identification', () => {
  const says = (hex: string) => jt808.identify?.(fromHex(hex), 'tcp');

  it.each([
    ['', 'more'],
    ['7e', 'more'],
    ['7e0200', 'more'],
    ['7e7e7e', 'no'],
    ['24', 'no'],
    ['28', 'more'],
    ['2841', 'no'],
    ['7e02007d037e', 'no'],
    ['7e02007e', 'no'],
    [`7e0200${'00'.repeat(4100)}`, 'no'],
  ])('identifies first bytes (%#)', (hex, want) => {
    expect(says(hex)).toBe(want);
  });

  it('recognizes a padlock by its text, and no other brackets', () => {
    const text = (t: string) => jt808.identify?.(Uint8Array.from(Buffer.from(t)), 'tcp');
    expect(text('(740190311185,1,001,BASE,2,TIME)')).toBe('yes');
    expect(text('(740190311185,1')).toBe('more');
    expect(text('(8045210973,1,168,WLNET,5,2,(')).toBe('no');
    expect(text('(740190311185BP05000')).toBe('no');
  });
});

describe('authentication with a key', () => {
  const options = { authenticationKey: 'fleet key' };

  it('accepts messages of a connection that already belongs to a device', () => {
    expect(kinds(drive(options, PHONE).push(report(1), NOW))).toEqual(['frame']);
  });

  it('asks for the code again when another device speaks on the connection', () => {
    const driver = drive(options);
    // HMAC-SHA-256 of 13912345678 with this key, first 16 digits, by openssl.
    const code = toHex(Uint8Array.from(Buffer.from('f5105e9e05ce66a5')));
    expect(kinds(driver.push(frame(0x0102, 1, code), NOW))).toEqual(['frame']);
    expect(kinds(driver.push(report(2), NOW))).toEqual(['frame']);
    expect(kinds(driver.push(jt808.simulator.report([fix], '013900000000', 3), NOW))).toEqual(['undecoded']);
  });
});

describe('messages in parts', () => {
  const part = (serial: number, index: number, total: number, body: string): Uint8Array =>
    frame(0x0801, serial, body, 0x2000, hex16(total) + hex16(index));

  it('drops the oldest incomplete message when there are too many', () => {
    const driver = drive();
    for (let message = 0; message < 6; message++) driver.push(part(100 * message + 1, 1, 2, 'aa'), NOW);
    const open = driver.state.pending.map(({ first }) => first);
    expect(open).toEqual([201, 301, 401, 501]);
  });

  it('drops the oldest incomplete message when they are too large together', () => {
    const driver = drive({ maxMessageBytes: 100 });
    driver.push(part(1, 1, 2, 'aa'.repeat(60)), NOW);
    driver.push(part(101, 1, 2, 'aa'.repeat(60)), NOW);
    const open = driver.state.pending.map(({ first }) => first);
    expect(open).toEqual([101]);
  });

  it('puts a large photo together and hands it on in pieces', () => {
    const head = '0000006500000201';
    const data = `ffd8${'a5'.repeat(40_000)}`;
    const body = head + data;
    const size = 1600;
    const total = Math.ceil(body.length / size);
    const driver = drive();
    const steps = Array.from({ length: total }, (_, n) => n)
      .reverse()
      .flatMap((n) => driver.push(part(n + 1, n + 1, total, body.slice(n * size, (n + 1) * size)), NOW));
    const files = messages(steps).filter((message) => message.type === 'file');
    expect(files.map(({ name, offset, total: whole, last }) => ({ name, offset, whole, last }))).toEqual([
      { name: 'media-101-1.jpg', offset: 0, whole: 40_002, last: undefined },
      { name: 'media-101-1.jpg', offset: 32_768, whole: 40_002, last: true },
    ]);
    expect(files.map(({ bytes }) => toHex(bytes)).join('')).toBe(data);
    expect(driver.state.pending).toEqual([]);
  });

  it('requests the missing parts after the last part', () => {
    // 8003: first serial 0001, two of them, 1 and 2.
    expect(replies(push(part(3, 3, 3, 'aa'))).at(-1)).toMatch(/^7e80030007013912345678000000010200010002..7e$/);
  });
});

describe('commands', () => {
  const encode = (
    type: string,
    params: object,
    context: Partial<{ deviceId: string; ticket: string; state: unknown; options: DeviceOptions }> = {},
  ) =>
    toHex(
      jt808.commands[type]!.encode(params as never, {
        state: jt808.initialState() as never,
        deviceId: PHONE,
        options: {},
        ticket: '0',
        now: NOW,
        ...(context as object),
      }),
    );

  it('use the form of the last frame of a device', () => {
    const driver = drive();
    driver.push(jt808.simulator.report([fix], '866496077582164', 1), NOW);
    const bytes = fromHex(
      encode('positionSingle', {}, { state: driver.state, deviceId: '866496077582164', ticket: '258' }),
    );
    expect(toHex(bytes.subarray(0, -2))).toBe('7e820140000100000866496077582164' + '0102');
  });

  it('use tickets as serials, modulo 65536, and 0 where they are no number', () => {
    expect(encode('positionSingle', {}, { ticket: '65537' })).toContain(`${PHONE}0001`);
    expect(encode('positionSingle', {}, { ticket: 'none' })).toContain(`${PHONE}0000`);
  });

  it('address ids of odd and even length', () => {
    expect(encode('positionSingle', {}, { deviceId: '1862' })).toContain('82010000000000001862');
    expect(encode('positionSingle', {}, { deviceId: '1234567890123' })).toContain('8201000001234567890123');
  });

  it.each([
    ['custom', { data: 'x'.repeat(1100) }, {}],
    ['custom', { data: '€uro 😀' }, {}],
    ['custom', { data: 'ü' }, { options: { model: 'GL100' } }],
    ['custom', {}, {}],
    ['setParameter', { id: 1, data: '00'.repeat(256) }, {}],
    ['setParameter', { id: 1, data: 'xy' }, {}],
    ['positionPeriodic', { frequency: 0 }, {}],
    ['videoStart', { port: 5 }, {}],
    ['positionSingle', {}, { deviceId: 'abc' }],
  ])('%s refuses what it cannot say (%#)', (type, params, context) => {
    expect(() => encode(type, params, context)).toThrow(expect.objectContaining({ name: 'CodecError' }));
  });

  it('are privileged by their text', () => {
    const isPrivileged = (text: string) => jt808.privileged.some((pattern) => pattern.test(text));
    expect(['7e8105000139', 'RELAY,1#', 'DYD,000000#', '#0;1', 'stop engine'].every(isPrivileged)).toBe(true);
    expect(['7e8201000039', 'PARAM#', 'STATUS'].some(isPrivileged)).toBe(false);
  });
});
