import { describe, expect, it } from 'vitest';
import { CodecError, Driver, type DriverStep, fromHex, toHex } from '#codec';
import teltonika from '../../../protocols/teltonika/index.ts';

const NOW = 1_700_000_000_000;
const LOGIN = '000f333536333037303432343431303133';
/** The vendor's second example of codec 8. */
const PACKET =
  '000000000000002808010000016b40d9ad80010000000000000000000000000000000103021503010101425e100000010000f22a';

const open = (transport: 'tcp' | 'udp' = 'tcp', options = {}) =>
  new Driver(teltonika, { transport, options, deviceId: '356307042441013' });
const typesOf = (steps: readonly DriverStep[]): string[] => steps.map((s) => s.type);
const push = (driver: ReturnType<typeof open>, hex: string) => driver.push(fromHex(hex), NOW);

describe('over TCP', () => {
  it('pings between frames are passed over', () => {
    const steps = push(open(), `ff${LOGIN}ffff${PACKET}ff`);
    expect(typesOf(steps)).toEqual(['skipped', 'frame', 'skipped', 'frame', 'skipped']);
  });

  it('a recorded ping is a heartbeat', () => {
    const context = { transport: 'tcp', state: teltonika.initialState(), options: {}, now: NOW } as const;
    expect(teltonika.decode(Uint8Array.of(0xff), context)).toMatchObject({
      messages: [{ type: 'heartbeat' }],
      replies: [],
    });
  });

  it('a packet with a wrong CRC is not acknowledged, and sent again it is read', () => {
    const driver = open();
    expect(typesOf(push(driver, `${PACKET.slice(0, -1)}b${PACKET}`))).toEqual(['bad-checksum', 'frame']);
    expect(typesOf(push(driver, `${PACKET.slice(0, -8)}0100f22a`))).toEqual(['bad-checksum']);
  });

  it.each([
    ['the head of another protocol', '7878'],
    ['a login that is too long', '0041'],
    ['a login that is too short', '0007'],
    ['a login with a character that no id has', '000f33353620'],
    ['a preamble that is not zero', '0000000100000028'],
    ['a packet without counts', '0000000000000002'],
    ['a packet that is too large', '0000000000010001'],
  ])('%s loses the stream', (_, hex) => {
    const [step] = push(open(), hex);
    expect(step).toMatchObject({ type: 'lost', error: { code: 'stream-lost' } });
  });

  it('the largest packet is waited for', () => {
    const driver = open();
    expect(push(driver, '0000000000010000')).toEqual([]);
    expect(driver.buffered).toBe(8);
  });

  it('a login of letters, digits and marks is one', () => {
    const id = 'Az09._:-';
    expect(push(open(), `0008${Buffer.from(id).toString('hex')}`)).toMatchObject([
      { type: 'frame', messages: [{ type: 'login', ids: [id] }] },
    ]);
    const context = { transport: 'tcp', state: teltonika.initialState(), options: {}, now: NOW } as const;
    expect(() => teltonika.decode(fromHex('0003412042'), context)).toThrow(CodecError);
  });
});

it('a time that no calendar has is left out, the place stays and is not valid', () => {
  const fix = '0f11eab220968a550064005a090032';
  const frame = fromHex(`00000000000000000801${'ff'.repeat(8)}00${fix}0000000000000100000000`);
  const context = { transport: 'tcp', state: teltonika.initialState('1'), options: {}, now: NOW } as const;
  expect(teltonika.decode(frame, context).messages).toEqual([
    {
      type: 'position',
      valid: false,
      latitude: 54.6736725,
      longitude: 25.2832434,
      altitude: 100,
      speed: 50,
      course: 90,
      attributes: { priority: 0, sat: 9, event: 0 },
    },
  ]);
});

it('over UDP a length that no wrapper has loses the datagram', () => {
  expect(push(open('udp'), '0005cafe010501')).toMatchObject([{ type: 'lost' }]);
});

describe('a photo', () => {
  it('of the device that logs in is not mixed with that of the one before', () => {
    const driver = open();
    push(driver, withCrc('0c010d0000000901665b0c400000083401'));
    expect(driver.state.photo).toEqual({ id: 0x665b0c40, total: 2100 });
    push(driver, LOGIN);
    expect(driver.state.photo?.total).toBe(2100);
    push(driver, `000f${Buffer.from('352093081452251').toString('hex')}`);
    expect(driver.state).toEqual({ deviceId: '352093081452251', photo: undefined });
  });
});

/** A packet around data, its CRC made a bit at a time. */
function withCrc(data: string): string {
  let crc = 0;
  for (const byte of fromHex(data)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  }
  const length = (data.length / 2).toString(16).padStart(8, '0');
  return `00000000${length}${data}${crc.toString(16).padStart(8, '0')}`;
}

describe('identify', () => {
  const datagram =
    '003dcafe0105000f33353230393330383634303336353508010000016b4f815b30010000000000000000000000000000000103021503010101425dbc000001';

  it.each([
    ['', 'tcp', 'more'],
    ['00', 'tcp', 'more'],
    ['000f', 'tcp', 'more'],
    [LOGIN, 'tcp', 'yes'],
    [`000f${'33'.repeat(14)}41`, 'tcp', 'no'],
    ['000d33', 'tcp', 'no'],
    ['0012', 'tcp', 'no'],
    ['78', 'tcp', 'no'],
    ['7878', 'tcp', 'no'],
    ['0000', 'tcp', 'more'],
    ['000001', 'tcp', 'no'],
    ['000000000000002808', 'tcp', 'more'],
    [PACKET, 'tcp', 'yes'],
    ['00000000000000025508', 'tcp', 'no'],
    ['0000000000000028550101', 'tcp', 'no'],
    ['0000000000000001080101', 'tcp', 'no'],
    ['00', 'udp', 'more'],
    [datagram.slice(0, 20), 'udp', 'more'],
    [datagram, 'udp', 'yes'],
    [`${datagram}00`, 'udp', 'no'],
    ['0003cafe01', 'udp', 'no'],
    [datagram.replace('cafe01', 'cafe02'), 'udp', 'no'],
    [datagram.replace('000f3335', '000c3335'), 'udp', 'no'],
  ] as const)('%s over %s: %s', (hex, transport, answer) => {
    expect(teltonika.identify?.(fromHex(hex), transport)).toBe(answer);
  });
});

describe('commands', () => {
  const context = { state: teltonika.initialState(), deviceId: '356307042441013', options: {}, ticket: '0', now: NOW };
  const custom = (data: string, more = {}) => teltonika.commands['custom']!.encode({ data }, { ...context, ...more });

  it('text that looks like hex but has an odd digit goes as text', () => {
    expect(toHex(custom('abc'))).toContain('0000000361626301');
    expect(toHex(custom('0'))).toContain('000000013001');
  });

  it.each(['', '\u20ac'])('%j is refused', (data) => {
    expect(() => custom(data)).toThrow(CodecError);
  });

  it('codec 14 needs an IMEI', () => {
    expect(() => custom('getver', { deviceId: 'truck-1', options: { checkImei: true } })).toThrow('codec 14');
  });

  it.each([
    ['setdigout 1', true],
    ['SETDIGOUT ?1', true],
    ['lvcanblockengine', true],
    ['defaultcfg', true],
    ['getinfo', false],
    ['getparam 2004', false],
  ])('%s is privileged: %s', (text, is) => {
    expect(teltonika.privileged.some((pattern) => pattern.test(text))).toBe(is);
  });
});

describe('a packet that cannot be read', () => {
  const context = { transport: 'tcp', state: teltonika.initialState(), options: {}, now: NOW } as const;
  const acknowledge = (hex: string, more = {}) =>
    teltonika.acknowledgeUndecoded?.(fromHex(hex), { ...context, ...more }).map(({ bytes }) => toHex(bytes));

  it('is acknowledged with its count where a device has logged in', () => {
    const state = teltonika.initialState('1');
    expect(acknowledge('0000000000000003550703aabbccdd', { state })).toEqual(['00000007']);
    expect(acknowledge('0000000000000003550703aabbccdd')).toEqual([]);
    expect(acknowledge('00000000', { state })).toEqual([]);
  });

  it('is not where it is an answer or a login', () => {
    expect(acknowledge('00000000000000030c0703aabbccdd', { state: teltonika.initialState('1') })).toEqual([]);
    expect(acknowledge(LOGIN)).toEqual([]);
  });

  it('is not accepted over UDP, where nothing protects it', () => {
    const udp = { transport: 'udp' };
    expect(acknowledge('000bcafe010500013155020002', udp)).toEqual([]);
    expect(acknowledge('000bcafe01050001310c020002', udp)).toEqual([]);
    expect(acknowledge('0005cafe0105', udp)).toEqual([]);
    expect(acknowledge('0007cafe0105000131', udp)).toEqual([]);
  });
});

describe('the simulated device', () => {
  const { read, answer } = teltonika.simulator;

  it('waits for incomplete frames', () => {
    expect(read(new Uint8Array(0))).toBeUndefined();
    expect(read(fromHex('0000'))).toBeUndefined();
    expect(read(fromHex('000000000000'))).toBeUndefined();
    expect(read(fromHex('000000000000000f0c'))).toBeUndefined();
  });

  it('distinguishes a photo request from a command', () => {
    const request = fromHex('00000000000000130c010d0000000b02598493ed000000000800010000f76b');
    expect(read(request)).toEqual({ bytes: 31, message: { type: 'other' } });
  });

  it('refuses a command of codec 14 as the protocol has it', () => {
    const getver = fromHex('00000000000000160e01050000000e0352093081452251676574766572010000d2c1');
    const refusal = answer!(getver, 'refused', '352093081452251', 1);
    const messages = open('tcp')
      .push(refusal, NOW)
      .flatMap((s) => (s.type === 'frame' ? s.messages : []));
    expect(messages).toEqual([{ type: 'answer', outcome: 'refused' }]);
  });
});

describe('names of elements', () => {
  const named = (attributes: Record<string, string | number | boolean>, model?: string) =>
    teltonika.named!(attributes, model === undefined ? {} : { model });

  it('have the vendor’s scale, sign and unit', () => {
    expect(named({ priority: 1, power: 12.601, rssi: 4, in1: true, io6: 1234, io75: 4_294_967_246, foo: 1 })).toEqual({
      'External Voltage': { id: 66, value: 12.601, unit: 'V' },
      'GSM Signal': { id: 21, value: 4 },
      'Digital Input 1': { id: 1, value: 1 },
      'Analog Input 2': { id: 6, value: 1.234, unit: 'V' },
      'Dallas Temperature 4': { id: 75, value: -5, unit: '°C' },
    });
  });

  it('are those of the product', () => {
    expect(named({ io6: 65_486 }, 'FMB130')).toEqual({ 'Analog Input 2': { id: 6, value: 65.486, unit: 'V' } });
    expect(named({ io6: 65_486 }, 'FMC650')).toEqual({ 'Dallas Temperature 5': { id: 6, value: -5, unit: '°C' } });
    expect(named({ io18: 125, io70: 297, io245: 12_500 }, 'FM6300')).toEqual({
      'Fuel Rate': { id: 18, value: 12.5, unit: 'l/h' },
      'PCB Temperature': { id: 70, value: 29.7, unit: '°C' },
      'Analog Input 4': { id: 245, value: 12.5, unit: 'V' },
    });
    expect(named({ io855: 7 }, 'FMB130')).toEqual({ 'LNG Used': { id: 855, value: 7, unit: 'kg' } });
    expect(named({ io855: 7 }, 'TFT100')).toEqual({ Power: { id: 855, value: 7 } });
  });

  it('keep text, and distinguish elements of one name', () => {
    expect(named({ io60000: 1 })).toEqual({});
    const all = Object.fromEntries(Array.from({ length: 65_536 }, (_, id) => [`io${id}`, 1]));
    const found = Object.values(named(all));
    expect(found.length).toBeGreaterThan(1_900);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    for (const { value } of found) expect(Number.isFinite(value)).toBe(true);
  });
});
