import {
  CodecError,
  crc16CcittFalse,
  type Decoded,
  positionOf,
  Reader,
  type Reply,
  type StreamProtocol,
  toHex,
  toLatin1,
  Writer,
} from '#codec';
import type { NamedFixture } from './rules/subject.ts';

/**
 * A protocol of no device, the smallest one that meets every rule: `$$`, length of the body (one byte), body,
 * CRC-16/IBM-3740 over length and body. The body's first byte is its type:
 * 01 login (8 bytes: the id as hex digits, one leading zero), 02 records (count; each: time u32 s, latitude and
 * longitude i32 in 1e-6°, speed u16 in 0.1 km/h, course u16 °, ignition u8), 03 heartbeat, 04 answer (ticket u16,
 * outcome u8, text). The server says 81 (status: 1 yes, 0 no), 82 (records stored), 90 (ticket u16, text).
 */
interface State {
  readonly deviceId?: string;
}

const RECORD_BYTES = 17;

export const wrap = (body: Uint8Array): Uint8Array => {
  const inner = new Writer().u8(body.length).raw(body).finish();
  return new Writer().latin1('$$').raw(inner).u16(crc16CcittFalse(inner)).finish();
};

const stored = (body: Writer): Reply => ({ when: 'stored', bytes: wrap(body.finish()) });

function decodeRecords(reader: Reader, state: State): Decoded<State> {
  const count = reader.u8();
  const messages = Array.from({ length: count }, () => {
    const time = reader.u32() * 1000;
    const latitude = reader.i32() / 1e6;
    const longitude = reader.i32() / 1e6;
    if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) throw new CodecError('bad-value', 'not on the globe');
    const speed = reader.u16() / 10;
    const course = reader.u16() % 361;
    const attributes = { ignition: reader.u8() === 1 };
    return positionOf({ time, valid: true, latitude, longitude, altitude: 0, speed, course }, attributes);
  });
  return { state, messages, replies: [stored(new Writer().u8(0x82).u8(count))] };
}

const handlers: Readonly<Record<number, (reader: Reader, state: State) => Decoded<State>>> = {
  0x01(reader) {
    const deviceId = reader.hex(8).slice(1);
    const reply = (status: number) => wrap(Uint8Array.of(0x81, status));
    return {
      state: { deviceId },
      messages: [{ type: 'login', ids: [deviceId] }],
      replies: [
        { when: 'stored', bytes: reply(1) },
        { when: 'refused', bytes: reply(0) },
      ],
    };
  },
  0x02: decodeRecords,
  0x03: (_, state) => ({ state, messages: [{ type: 'heartbeat' }], replies: [] }),
  0x04(reader, state) {
    const ticket = String(reader.u16());
    const outcome = reader.u8() === 1 ? 'done' : 'refused';
    return {
      state,
      messages: [{ type: 'answer', ticket, outcome, text: reader.latin1(reader.remaining) }],
      replies: [],
    };
  },
};

export const example: StreamProtocol<State> = {
  carrier: 'bytes',
  id: 'example',
  title: 'Example',
  vendor: 'none',
  models: [],
  service: 'example',
  port: 5299,
  transports: ['tcp'],
  options: {},
  maxFrameBytes: 260,
  resync: 'marker',
  integrity: 'checksum',
  correlation: 'ticket',
  privileged: [/^RELAY/],
  sessionEnding: [],
  setup: ['set {host} and {port}'],
  initialState: (deviceId) => (deviceId === undefined ? {} : { deviceId }),
  identify(first) {
    if (first[0] !== 0x24 || (first.length > 1 && first[1] !== 0x24)) return 'no';
    return first.length < 4 ? 'more' : first[3]! >= 1 && first[3]! <= 4 ? 'yes' : 'no';
  },
  frame(bytes) {
    if (bytes[0] !== 0x24) return { type: 'skip', bytes: 1 };
    if (bytes.length < 3)
      return bytes[1] === undefined || bytes[1] === 0x24 ? { type: 'wait', atLeast: 3 } : { type: 'skip', bytes: 1 };
    if (bytes[1] !== 0x24) return { type: 'skip', bytes: 1 };
    const end = bytes[2]! + 5;
    return bytes.length < end ? { type: 'wait', atLeast: end } : { type: 'frame', start: 0, end, resumeAt: 1 };
  },
  verify: (frame) =>
    frame.length >= 5 && new Reader(frame, frame.length - 2).u16() === crc16CcittFalse(frame, 2, frame.length - 2),
  decode(frame, { state }) {
    const reader = new Reader(frame, 3, frame.length - 2);
    const type = reader.u8();
    const handler = handlers[type];
    if (handler === undefined) throw new CodecError('unknown-type', `type ${type}`, 3);
    return handler(reader, state);
  },
  commands: {
    custom: {
      title: 'Text for the device',
      params: { data: { type: 'string', title: 'Text', required: true } },
      repeatable: true,
      encode({ data }, { ticket }) {
        if (typeof data !== 'string' || data.length > 200 || !/^[ -~]+$/.test(data)) {
          throw new CodecError('bad-parameter', 'data is 1 to 200 characters of ASCII');
        }
        return wrap(new Writer().u8(0x90).u16(Number(ticket)).latin1(data).finish());
      },
    },
  },
  simulator: {
    login: (deviceId) => wrap(new Writer().u8(0x01).hex(`0${deviceId}`).finish()),
    report(fixes) {
      const body = new Writer().u8(0x02).u8(fixes.length);
      for (const { time, latitude, longitude, speed, course, ignition } of fixes) {
        body
          .u32(time / 1000)
          .u32(Math.round(latitude * 1e6))
          .u32(Math.round(longitude * 1e6));
        body
          .u16(speed * 10)
          .u16(course)
          .u8(ignition ? 1 : 0);
      }
      return wrap(body.finish());
    },
    fixesPerReport: Math.floor(250 / RECORD_BYTES),
    heartbeat: () => wrap(Uint8Array.of(0x03)),
    read(buffer) {
      const bytes = (buffer[2] ?? 255) + 5;
      if (buffer.length < bytes) return undefined;
      const frame = buffer.subarray(0, bytes);
      if (frame[3] === 0x81) return { bytes, message: { type: frame[4] === 1 ? 'admitted' : 'refused' } };
      if (frame[3] === 0x82) return { bytes, message: { type: 'acknowledged', reports: 1 } };
      return { bytes, message: { type: 'command', text: toLatin1(frame, 6, bytes - 2), frame } };
    },
    answer: (frame, outcome) =>
      wrap(
        new Writer()
          .u8(0x04)
          .raw(frame.slice(4, 6))
          .u8(outcome === 'done' ? 1 : 0)
          .latin1('OK')
          .finish(),
      ),
    acknowledges: true,
  },
};

const frame = (body: string): string => toHex(wrap(new Writer().hex(body).finish()));

export const exampleFixtures: readonly NamedFixture[] = [
  {
    name: 'session.json',
    fixture: {
      title: 'Login, two records, a heartbeat, an answer, a type that is not known',
      source: 'worked out by hand from the layout above',
      transport: 'tcp',
      frames: [
        {
          wire: frame('010356307042441013'),
          messages: [{ type: 'login', ids: ['356307042441013'] }],
          replies: [
            { when: 'stored', wire: frame('8101') },
            { when: 'refused', wire: frame('8100') },
          ],
        },
        {
          // 1717243200 s; 48.1°, −11.6°; 50.0 km/h; 90°; on. Then one second later, stationary, off.
          wire: frame('0202665b0d4002ddf2a0ff4eff8001f4005a01665b0d4102ddf2a0ff4eff8000000000 00'.replace(' ', '')),
          messages: [
            {
              type: 'position',
              deviceTime: '2024-06-01T12:00:00Z',
              fixTime: '2024-06-01T12:00:00Z',
              valid: true,
              latitude: 48.1,
              longitude: -11.6,
              altitude: 0,
              speed: 50,
              course: 90,
              attributes: { ignition: true },
            },
            {
              type: 'position',
              deviceTime: '2024-06-01T12:00:01Z',
              fixTime: '2024-06-01T12:00:01Z',
              valid: true,
              latitude: 48.1,
              longitude: -11.6,
              altitude: 0,
              speed: 0,
              course: 0,
              attributes: { ignition: false },
            },
          ],
          replies: [{ when: 'stored', wire: frame('8202') }],
        },
        { wire: frame('03'), messages: [{ type: 'heartbeat' }], replies: [] },
        {
          wire: frame('0400070141'),
          messages: [{ type: 'answer', ticket: '7', outcome: 'done', text: 'A' }],
          replies: [],
        },
        { wire: frame('05'), replies: [] },
      ],
    },
  },
  {
    name: 'commands.json',
    fixture: {
      title: 'A text command',
      source: 'worked out by hand from the layout above',
      transport: 'tcp',
      commands: [
        { type: 'custom', params: { data: 'STATUS' }, deviceId: '356307042441013', wire: frame('900000535441545553') },
      ],
    },
  },
];
