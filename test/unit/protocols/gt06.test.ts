import { describe, expect, it } from 'vitest';
import { CodecError, crc16X25, Driver, type DriverStep, type EncodeContext, fromHex, toHex } from '#codec';
import gt06 from '../../../protocols/gt06/index.ts';
import type { State } from '../../../protocols/gt06/packet.ts';

const DEVICE = '356307042441013';
const NOW = Date.UTC(2024, 5, 1, 12);
/** the vendor's example of a heartbeat */
const HEARTBEAT = '78780a134004040001000fdcee0d0a';
const LOGIN = '78780d01012345678901234500018cdd0d0a';

const connect = (options = {}, deviceId: string | undefined = DEVICE) =>
  new Driver(gt06, { transport: 'tcp', options, ...(deviceId === undefined ? {} : { deviceId }) });
const push = (hex: string, driver = connect()): DriverStep[] => driver.push(fromHex(hex), NOW);
const kinds = (steps: readonly DriverStep[]): string[] => steps.map(({ type }) => type);

/** `inner` from the length to the serial, in its envelope. */
function seal(marker: string, inner: string): string {
  const crc = crc16X25(fromHex(inner)).toString(16).padStart(4, '0');
  return `${marker}${inner}${crc}0d0a`;
}

describe('framing', () => {
  it('goes on behind bytes that only look like a marker, so that the frame in it is not lost', () => {
    // The false frame of 0x0c + 5 bytes ends, by chance, with the 0D 0A of the true one.
    const steps = push(`78780c${HEARTBEAT.slice(0, -4)}0d0a`);
    expect(kinds(steps).filter((kind) => kind !== 'skipped')).toEqual(['bad-checksum', 'frame']);
  });

  it('finds a marker that begins inside of a false one', () => {
    expect(kinds(push(`78${HEARTBEAT.repeat(9)}`)).filter((kind) => kind === 'frame')).toHaveLength(9);
  });

  it('does not wait for a length that no frame has', () => {
    expect(kinds(push(`7979ffff0000000d0a${HEARTBEAT}`))).toContain('frame');
  });

  it('waits for the end that the length names although 0D 0A stands before it', () => {
    const frame = seal('7979', '000b9b0341310d0a4200ab');
    const driver = connect();
    const early = driver.push(fromHex(frame.slice(0, 20)), NOW);
    expect(early).toEqual([]);
    expect(kinds(driver.push(fromHex(frame.slice(20)), NOW))).toEqual(['frame']);
  });

  it('looks for 0D 0A behind the end that the length names, until it comes', () => {
    const frame = seal('7878', '03134004040001000f');
    const driver = connect();
    expect(driver.push(fromHex(frame.slice(0, -2)), NOW)).toEqual([]);
    expect(kinds(driver.push(fromHex('0a'), NOW))).toEqual(['frame']);
  });

  it('takes a frame without 0D 0A as soon as its checksum is right, and passes over the end that still comes', () => {
    const endless = HEARTBEAT.slice(0, -4);
    for (const stream of [
      endless.repeat(3),
      `${HEARTBEAT}${endless}${HEARTBEAT}`,
      `${endless}0d${HEARTBEAT}${endless}`,
    ]) {
      expect(kinds(push(stream))).toEqual(['frame', 'frame', 'frame']);
      const driver = connect();
      const bytes = stream.match(/../g)!.map((byte) => kinds(push(byte, driver)));
      expect(bytes.flat()).toEqual(['frame', 'frame', 'frame']);
      // the answer does not wait for what follows
      expect(bytes[endless.length / 2 - 1]).toEqual(['frame']);
    }
  });

  it('finds a frame without 0D 0A behind other bytes', () => {
    expect(
      kinds(push(`78780b00ff${HEARTBEAT.slice(0, -4)}${HEARTBEAT}`)).filter((kind) => kind === 'frame'),
    ).toHaveLength(2);
  });

  it('refuses a wrong checksum unless the device’s option takes it', () => {
    const wrong = HEARTBEAT.replace('dcee', 'dcef');
    expect(kinds(push(wrong))).not.toContain('frame');
    expect(kinds(push(wrong, connect({ lenientChecksum: true })))).toEqual(['frame']);
  });

  it('checks the size of a scan after all of it was received', () => {
    const driver = connect();
    const scan = '7878006924060110111201 00de01 1234000a5a 0d0a'.replaceAll(' ', '');
    for (const end of [24, 30, 40])
      expect(driver.push(fromHex(scan.slice(end === 24 ? 0 : end === 30 ? 24 : 30, end)), NOW)).toEqual([]);
    expect(kinds(driver.push(fromHex(scan.slice(40)), NOW))).toEqual(['frame']);
  });
});

describe('identification', () => {
  const identify = (hex: string) => gt06.identify!(fromHex(hex), 'tcp');

  it('matches by the checksum of the first frame', () => {
    expect(identify('78')).toBe('more');
    expect(identify(LOGIN.slice(0, -6))).toBe('more');
    expect(identify(LOGIN.slice(0, -4))).toBe('yes');
    expect(identify(LOGIN)).toBe('yes');
    expect(identify(LOGIN + HEARTBEAT)).toBe('yes');
    expect(identify(LOGIN.replace('8cdd', '8cde'))).toBe('no');
  });

  it('leaves others alone', () => {
    expect(identify('7e0100')).toBe('no');
    expect(identify('7879')).toBe('no');
    // the same marker and type, without serial and checksum
    expect(identify('78780d010123456789012345010d0a')).toBe('no');
    expect(identify('787801080d0a')).toBe('no');
    // a length that no first message has
    expect(identify('79790f0001')).toBe('no');
    expect(identify(`79790000${'00'.repeat(1_600)}`)).toBe('no');
  });
});

describe('decoding', () => {
  const context = (deviceId?: string) => ({
    transport: 'tcp' as const,
    state: gt06.initialState(deviceId),
    options: {},
    now: NOW,
  });

  it('takes the identity of a login that ends right behind it', () => {
    const { messages, replies } = gt06.decode(fromHex('78780d010359339075005244340d0a'), context());
    expect(messages).toEqual([{ type: 'login', ids: ['359339075005244'] }]);
    expect(replies).toHaveLength(1);
  });

  it('keeps the fields of a frame whose last byte is missing', () => {
    // 13 with LW's two-byte supply: the content ends where the length says
    const { messages } = gt06.decode(fromHex('78780b1346060400836e0001abcd0d'), {
      ...context(DEVICE),
      options: { model: 'LW4G' },
    });
    expect(messages[0]).toMatchObject({ attributes: { rssi: 4, power: 13.1 } });
  });

  it('neither reads nor answers what is shorter than any frame', () => {
    for (const hex of ['', '7878', '78780d0a']) {
      expect(() => gt06.decode(fromHex(hex), context(DEVICE))).toThrow(CodecError);
      expect(gt06.acknowledgeUndecoded!(fromHex(hex), context(DEVICE))).toEqual([]);
    }
    expect(gt06.acknowledgeUndecoded!(fromHex(HEARTBEAT), context())).toEqual([]);
  });
});

describe('commands', () => {
  const context = (ticket: string, options = {}): EncodeContext<State> => ({
    state: gt06.initialState(DEVICE),
    deviceId: DEVICE,
    options,
    ticket,
    now: NOW,
  });
  const encode = (type: string, params: Record<string, string>, ticket = '0') =>
    toHex(gt06.commands[type]!.encode(params, context(ticket)));

  it('are the field’s own where no ticket is wanted', () => {
    expect(encode('engineStop', {})).toBe('787812800c0000000052656c61792c312300009dee0d0a');
    expect(encode('engineResume', {})).toBe('787812800c0000000052656c61792c3023000081550d0a');
  });

  it('refuse tickets of more than 32 bits and text that cannot be sent', () => {
    for (const ticket of ['4294967296', '-1', 'abc', ''])
      expect(() => encode('engineStop', {}, ticket)).toThrow(CodecError);
    for (const data of ['', 'größe', 'a\0b', 'x'.repeat(252)])
      expect(() => encode('custom', { data })).toThrow(CodecError);
    expect(encode('custom', { data: 'x'.repeat(251) })).toMatch(/^7979010580ff/);
  });

  it('that cut off fuel or power are recognized by their text', () => {
    const isPrivileged = (text: string) => gt06.privileged.some((pattern) => pattern.test(text));
    for (const text of ['Relay,1#', ' RELAY,0#', 'DYD#', 'dyd,123456#', 'HFYD#', 'OUT1,1#', '666666,Relay,1#'])
      expect(isPrivileged(text)).toBe(true);
    for (const text of ['STATUS#', 'WHERE#', 'TIMER,10,60#', 'PARAM#', 'TIMEOUT,5#'])
      expect(isPrivileged(text)).toBe(false);
  });
});

it('a message that comes byte by byte holds no more than a frame', () => {
  const driver = connect();
  const bytes = new Uint8Array(5_000).fill(0x78);
  for (const byte of bytes) driver.push(Uint8Array.of(byte), NOW);
  expect(driver.buffered).toBeLessThanOrEqual(gt06.maxFrameBytes);
  expect(kinds(push(HEARTBEAT + HEARTBEAT.repeat(300), driver))).toContain('frame');
});
