import { describe, expect, it } from 'vitest';
import { Driver, type HttpProtocol, httpProtocol } from '#codec';
import { httpAsStream, parseForm, parseQuery } from '#codec/http';

/** Answers each request with what it read. */
const echo: HttpProtocol<undefined> = httpProtocol<undefined>(
  { id: 'echo', title: 'Echo', vendor: 'test', models: [], port: 1, setup: ['-'], maxBytes: 400 },
  {
    decoding: {
      decode: ({ method, uri, headers, body }, { state }) => ({
        state,
        messages: [],
        replies: [
          {
            when: 'stored',
            status: 202,
            body: new TextEncoder().encode(
              `${method} ${uri} ${headers['x-a'] ?? ''} ${new TextDecoder().decode(body)}`,
            ),
          },
        ],
      }),
      identify: ({ uri }) => uri === '/mine',
    },
    commanding: { commands: {} },
    simulator: { fixesPerReport: 1, acknowledges: false, report: () => new Uint8Array(0), read: () => undefined },
  },
);

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function said(text: string, cut = text.length): string[] {
  const driver = new Driver(httpAsStream(echo), { transport: 'tcp', options: {} });
  const bytes = bytesOf(text);
  const steps = [];
  for (let at = 0; at < bytes.length; at += cut) steps.push(...driver.push(bytes.slice(at, at + cut), 0));
  return steps.map((step) => {
    if (step.type === 'lost') return `lost: ${step.error.message}`;
    if (step.type !== 'frame') return step.type;
    return step.replies.map(({ bytes: reply }) => new TextDecoder().decode(reply).split('\r\n\r\n')[1]).join();
  });
}

describe('a request over a stream', () => {
  it.each([
    ['POST /p HTTP/1.1\r\nContent-Length: 3\r\nX-A: 1\r\nx-a: 2\r\n\r\nabc', 'POST /p 1, 2 abc'],
    ['GET http://host:80/p?q=1 HTTP/1.1\n\n', 'GET /p?q=1  '],
    ['GET http://host HTTP/1.1\r\n\r\n', 'GET /  '],
    [
      'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=1\r\nabc\r\n2\r\nde\r\n0\r\nTrailer: 1\r\n\r\n',
      'POST /  abcde',
    ],
    ['GET /\r\nno field\r\n: none\r\n\r\n', 'GET /  '],
  ])('%j is read whole and byte by byte', (text, want) => {
    for (const cut of [text.length, 1, 7]) {
      expect(said(text, cut)).toEqual([want]);
      expect(said(text + text, cut)).toEqual([want, want]);
    }
  });

  it.each([
    'get / HTTP/1.1\r\n\r\n',
    'GETALLTHINGS / HTTP/1.1\r\n\r\n',
    'GET x HTTP/1.1\r\n\r\n',
    'GET / HTTP/2.0\r\n\r\n',
    'POST / HTTP/1.1\r\nContent-Length: 12x\r\n\r\n',
    'POST / HTTP/1.1\r\nContent-Length: 1000\r\n\r\n',
    'POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n',
    'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
    'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n',
    `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${' '.repeat(300)}`,
    'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n',
  ])('%j loses the stream', (text) => {
    expect(said(text)).toEqual([expect.stringMatching(/^lost/)]);
    expect(said(text, 1)).toEqual([expect.stringMatching(/^lost/)]);
  });

  it('is identified when it is whole', () => {
    const { identify } = httpAsStream(echo);
    const text = 'POST /mine HTTP/1.1\r\nContent-Length: 1\r\n\r\na';
    for (let length = 0; length < text.length; length++)
      expect(identify!(bytesOf(text.slice(0, length)), 'tcp')).toBe('more');
    expect(identify!(bytesOf(text), 'tcp')).toBe('yes');
    expect(identify!(bytesOf(text.replace('mine', 'your')), 'tcp')).toBe('no');
    expect(identify!(bytesOf('*HQ,'), 'tcp')).toBe('no');
  });
});

describe('a query', () => {
  it('keeps names in their order and all of their values', () => {
    expect([...parseQuery('/p?b=1&a=2;b=3&c&d=%20x+y&&e=a=b#f=1')]).toEqual([
      ['b', ['1', '3']],
      ['a', ['2']],
      ['c', ['']],
      ['d', [' x y']],
      ['e', ['a=b']],
    ]);
    expect([...parseQuery('/p')]).toEqual([]);
  });

  it.each(['a=%', 'a=%ff', 'x=1&'.repeat(1_001)])('that is malformed is refused', (text) => {
    expect(() => parseForm(text)).toThrow(expect.objectContaining({ code: 'bad-text' }));
  });
});
