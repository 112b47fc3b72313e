import { describe, expect, it } from 'vitest';
import {
  CodecError,
  Driver,
  type DriverSettings,
  type DriverStep,
  type FrameResult,
  fromLatin1,
  type StreamProtocol,
  toLatin1,
} from '#codec';

interface Count {
  readonly frames: number;
}

/**
 * `<` text `>`, whose last letter but one is a checksum where it is a digit: it counts the letters before it. `<bug>`
 * makes the codec fail, `<odd>` has no meaning, `<me:…>` names a device, `!` loses the stream.
 */
const brackets: StreamProtocol<Count> = {
  id: 'brackets',
  title: 'for tests',
  vendor: 'none',
  models: [],
  service: 'brackets',
  port: 1,
  options: {},
  correlation: 'none',
  commands: {},
  privileged: [],
  sessionEnding: [],
  simulator: { report: () => new Uint8Array(0), fixesPerReport: 1, read: () => undefined, acknowledges: false },
  setup: ['none'],
  carrier: 'bytes',
  transports: ['tcp', 'udp'],
  maxFrameBytes: 32,
  resync: 'marker',
  integrity: 'checksum',
  initialState: () => ({ frames: 0 }),
  frame(bytes): FrameResult {
    const text = toLatin1(bytes);
    if (text.startsWith('!')) throw new CodecError('stream-lost', 'as sent', 0);
    if (text.startsWith('?')) throw new TypeError('frame fails');
    const start = text.indexOf('<');
    if (start < 0) return { type: 'skip', bytes: bytes.length };
    const end = text.indexOf('>', start) + 1;
    if (end === 0) return start > 0 ? { type: 'skip', bytes: start } : { type: 'wait' };
    return { type: 'frame', start, end, resumeAt: start + 1 };
  },
  verify: (frame) => {
    const digit = frame[frame.length - 2]! - 0x30;
    return digit < 0 || digit > 9 || digit === frame.length - 3;
  },
  decode(frame, { state, options, now }) {
    const text = toLatin1(frame).slice(1, -1);
    if (text === 'bug') throw new TypeError('decode fails');
    if (text === 'odd') throw new CodecError('unknown-type', 'odd', 1);
    const attributes = { text, now, time: options['time'] ?? 'none' };
    const position = { type: 'position', valid: false, outdated: true, attributes } as const;
    return {
      state: { frames: state.frames + 1 },
      messages: text.startsWith('me:') ? [{ type: 'login', ids: [text.slice(3)] }, position] : [position],
      replies: [{ when: 'stored', bytes: fromLatin1('ok') }],
    };
  },
  acknowledgeUndecoded: () => [{ when: 'stored', bytes: fromLatin1('eh') }],
};

const tcp: DriverSettings = { transport: 'tcp', options: {} };
const NOW = 1_700_000_000_000;

/** What a step was, in a word. */
function record(step: DriverStep): string {
  if (step.type === 'lost') return `lost ${step.error.code}`;
  return `${step.type} ${toLatin1(step.bytes)}`;
}

const open = (settings = tcp, protocol = brackets) => new Driver(protocol, settings);
const push = (driver: Driver<Count>, text: string): string[] => driver.push(fromLatin1(text), NOW).map(record);

describe('a stream', () => {
  it('is framed and decoded, and the state is kept', () => {
    const driver = open();
    expect(push(driver, '<a><b>')).toEqual(['frame <a>', 'frame <b>']);
    expect(driver.state).toEqual({ frames: 2 });
    expect(driver.buffered).toBe(0);
  });

  it('returns the messages and replies of its frames', () => {
    const [step] = open().push(fromLatin1('<a>'), NOW);
    expect(step).toEqual({
      type: 'frame',
      bytes: fromLatin1('<a>'),
      messages: [{ type: 'position', valid: false, outdated: true, attributes: { text: 'a', now: NOW, time: 'none' } }],
      replies: [{ when: 'stored', bytes: fromLatin1('ok') }],
    });
  });

  it('keeps an incomplete frame as a copy', () => {
    const driver = open();
    const chunk = fromLatin1('<a><b');
    expect(driver.push(chunk, NOW).map(record)).toEqual(['frame <a>']);
    expect(driver.buffered).toBe(2);
    chunk.fill(0);
    expect(push(driver, 'cd')).toEqual([]);
    expect(push(driver, 'e><')).toEqual(['frame <bcde>']);
    expect(driver.buffered).toBe(1);
  });

  it('reports noise, before a frame and between', () => {
    expect(push(open(), 'xx<a>yy<b>')).toEqual(['skipped xx', 'frame <a>', 'skipped yy', 'frame <b>']);
    expect(push(open(), 'xx')).toEqual(['skipped xx']);
  });

  it('does not call the framer before the requested number of bytes is available', () => {
    let asked = 0;
    const patient: StreamProtocol<Count> = {
      ...brackets,
      frame: (bytes) => {
        asked += 1;
        return bytes.length < 10 ? { type: 'wait', atLeast: 10 } : { type: 'frame', start: 0, end: 10 };
      },
    };
    const driver = open(tcp, patient);
    for (const letter of '<abcdefgh>') push(driver, letter);
    expect(asked).toBe(2);
    expect(driver.state.frames).toBe(1);
  });

  it('never holds more than the largest frame: it looks for the next marker', () => {
    const driver = open();
    for (let n = 0; n < 10; n++) {
      push(driver, '<xxxxxxx');
      expect(driver.buffered).toBeLessThanOrEqual(32);
    }
    expect(push(driver, '>').filter((step) => step.startsWith('frame'))).toHaveLength(1);
    expect(push(driver, '<a>')).toEqual(['frame <a>']);
  });

  it('without a marker ends at a frame that is too large', () => {
    const driver = open(tcp, { ...brackets, resync: 'none' });
    expect(push(driver, `<${'x'.repeat(40)}`)).toEqual(['lost frame-too-large']);
    expect(push(driver, '<a>')).toEqual([]);
  });

  it('accepts no bytes after it is lost', () => {
    const driver = open();
    expect(push(driver, '<a>!<b>')).toEqual(['frame <a>', 'lost stream-lost']);
    expect(push(driver, '<c>')).toEqual([]);
    expect(driver.buffered).toBe(0);
  });
});

describe('a frame', () => {
  it('with a bad checksum is reported and not decoded; the search goes on at resumeAt', () => {
    const driver = open();
    expect(push(driver, '<<ab2>')).toEqual(['bad-checksum <<ab2>', 'frame <ab2>']);
    expect(driver.state.frames).toBe(1);
  });

  it('with a bad checksum is skipped completely if no offset is given', () => {
    const whole: StreamProtocol<Count> = {
      ...brackets,
      frame: (bytes, context) => {
        const { resumeAt: _, ...cut } = brackets.frame(bytes, context) as FrameResult & { type: 'frame' };
        return cut;
      },
    };
    expect(push(open(tcp, whole), '<<ab2><b>')).toEqual(['bad-checksum <<ab2>', 'frame <b>']);
  });

  it('is decoded from its content where the wire escapes, and reported with its wire bytes', () => {
    const escaped: StreamProtocol<Count> = {
      ...brackets,
      frame: (bytes, context) => {
        const cut = brackets.frame(bytes, context);
        return cut.type === 'frame' ? { ...cut, content: fromLatin1('<plain>') } : cut;
      },
    };
    const [step] = open(tcp, escaped).push(fromLatin1('<e>'), NOW);
    expect(step).toMatchObject({ bytes: fromLatin1('<e>'), messages: [{ attributes: { text: 'plain' } }] });
  });

  it('that has no meaning is undecoded, with what the codec would answer, and changes no state', () => {
    const driver = open();
    const [step] = driver.push(fromLatin1('<odd>'), NOW);
    expect(step).toMatchObject({
      type: 'undecoded',
      error: { code: 'unknown-type' },
      replies: [{ when: 'stored', bytes: fromLatin1('eh') }],
    });
    expect(driver.state.frames).toBe(0);
    const { acknowledgeUndecoded: _, ...silent } = brackets;
    expect(open(tcp, silent).push(fromLatin1('<odd>'), NOW)[0]).toMatchObject({ type: 'undecoded', replies: [] });
  });

  it('needs no checksum', () => {
    const { verify: _, ...trusting } = brackets;
    expect(push(open(tcp, trusting), '<ab9>')).toEqual(['frame <ab9>']);
  });
});

describe('a bug of the codec', () => {
  it('passes through', () => {
    expect(() => push(open(), '<bug>')).toThrow(TypeError);
    expect(() => push(open(), '?')).toThrow(TypeError);
  });

  it('is reported on request, and its frame is undecoded', () => {
    const bugs: unknown[] = [];
    const driver = open({ ...tcp, onBug: (error) => bugs.push(error) });
    const steps = driver.push(fromLatin1('<bug><a>?'), NOW);
    expect(steps.map((s) => ('error' in s ? s.error.code : s.type))).toEqual(['bug', 'frame', 'bug']);
    expect(steps.at(-1)?.type).toBe('lost');
    expect(bugs).toHaveLength(2);
  });
});

describe('options', () => {
  const text = (steps: readonly DriverStep[]): unknown[] =>
    steps
      .flatMap((s) => (s.type === 'frame' ? s.messages : []))
      .flatMap((m) => ('attributes' in m ? [m.attributes] : []));

  it('are given to the codec and can be exchanged', () => {
    const driver = open({ ...tcp, options: { time: 'first' } });
    expect(text(driver.push(fromLatin1('<a>'), NOW))).toMatchObject([{ time: 'first' }]);
    driver.options = { time: 'second' };
    expect(driver.options).toEqual({ time: 'second' });
    expect(text(driver.push(fromLatin1('<a>'), NOW))).toMatchObject([{ time: 'second' }]);
  });

  it('of the device that a frame names hold for that very frame, decoded once', () => {
    const known = { time: 'of g' };
    const asked: string[] = [];
    const driver = open({
      ...tcp,
      optionsFor: (ids) => {
        asked.push(...ids);
        return ids[0] === 'g' ? known : undefined;
      },
    });
    expect(text(driver.push(fromLatin1('<me:g><a><me:g><me:x>'), NOW))).toMatchObject([
      { time: 'of g' },
      { time: 'of g' },
      { time: 'of g' },
      { time: 'of g' },
    ]);
    expect(driver.state).toEqual({ frames: 4 });
    expect(asked).toEqual(['g', 'g', 'x']);
  });
});

describe('datagrams', () => {
  it('are independent: an incomplete frame is never completed', () => {
    const driver = open({ ...tcp, transport: 'udp' });
    expect(push(driver, '<a><b')).toEqual(['frame <a>', 'skipped <b']);
    expect(driver.buffered).toBe(0);
    expect(push(driver, 'c>')).toEqual(['skipped c>']);
    expect(push(driver, '<d>')).toEqual(['frame <d>']);
    expect(driver.state).toEqual({ frames: 2 });
  });
});

it('a session that is known begins with its device', () => {
  const named: StreamProtocol<{ readonly id: string | undefined }> = {
    ...(brackets as unknown as StreamProtocol<{ readonly id: string | undefined }>),
    initialState: (id) => ({ id }),
  };
  expect(new Driver(named, { ...tcp, deviceId: '42' }).state).toEqual({ id: '42' });
});
