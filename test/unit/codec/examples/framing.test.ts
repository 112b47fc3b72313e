import { describe, expect, it } from 'vitest';
import { fromHex, fromLatin1, toHex, toLatin1 } from '#codec';
import {
  areDigits,
  beginsCounted,
  byTransport,
  countedText,
  datagrams,
  datagramsOr,
  delimited,
  enclosed,
  escapes,
  firstOf,
  fixed,
  frameTo,
  framingWith,
  hasSum,
  identifyBytes,
  identifyCounted,
  identifyText,
  lengthPrefixed,
  matchesOpening,
  NO_CONTEXT,
  startsBy,
  startsOf,
  startsOfAll,
  startsWith,
  toStarts,
  withSum,
} from '#codec/framing';

/** `$$` and a flag, the length from the comma on, and a sum behind it. */
const counted = { mark: 0x24, hasFlag: true, trailingBytes: 0, minLength: 3, maxBytes: 1_000 };

describe('#codec/framing', () => {
  it('lengthPrefixed', () => {
    const frame = lengthPrefixed({
      starts: [[0x78, 0x78]],
      head: 3,
      length: { at: 2, bytes: 1, adds: 5 },
      minBytes: 10,
      maxBytes: 260,
      tail: [0x0d, 0x0a],
    });
    const login = fromHex('78780d01012345678901234500018cdd0d0a');
    expect(frame(login, NO_CONTEXT)).toEqual({ type: 'frame', start: 0, end: 18 });
    expect(frame(login.subarray(0, 5), NO_CONTEXT)).toEqual({ type: 'wait', atLeast: 18 });
    expect(frame(fromHex('00ff7878'), NO_CONTEXT)).toMatchObject({ type: 'skip', bytes: 2 });
  });

  it('delimited', () => {
    const frame = delimited({ starts: ['*HQ'], ends: ['#'], maxBytes: 300 });
    const bytes = fromLatin1('*HQ,4109156000,V1,120000,A#*HQ');
    expect(frame(bytes, NO_CONTEXT)).toEqual({ type: 'frame', start: 0, end: 27 });
    expect(frame(bytes.subarray(27), NO_CONTEXT)).toMatchObject({ type: 'wait' });
  });

  it('enclosed', () => {
    const meanings = new Map([
      [1, 0x7d],
      [2, 0x7e],
    ]);
    const frame = enclosed({ mark: 0x7e, escape: 0x7d, meanings, maxBytes: 1_000 });
    const result = frame(fromHex('7e017d027e'), NO_CONTEXT);
    expect(result).toMatchObject({ type: 'frame', end: 5, content: fromHex('7e017e7e') });
  });

  it('fixed', () => {
    const frame = fixed(4, [[0x24]]);
    expect(frame(fromHex('2401020324'), NO_CONTEXT)).toEqual({ type: 'frame', start: 0, end: 4 });
  });

  it('identifyBytes', () => {
    // a mark, a length below 1,024 in little endian, and a login or a report
    const identify = identifyBytes([0x5a, 'any', [0, 3], [1, 2]]);
    expect(['5a20', '5a200001', '5a200009'].map((hex) => identify(fromHex(hex)))).toEqual(['more', 'yes', 'no']);
  });

  it('identifyText', () => {
    const identify = identifyText({ start: '*HQ,', opening: [/^\*HQ,\d{10},/, 20] });
    expect(identify(fromLatin1('*HQ,4109156000,V1'))).toBe('yes');
    expect(identify(fromLatin1('*HQ'))).toBe('more');
    expect(identify(fromLatin1('$GPRMC'))).toBe('no');
  });

  it('countedText', () => {
    const frame = countedText(counted);
    expect(frame(fromLatin1('$$A10,123456789'), NO_CONTEXT)).toMatchObject({ type: 'frame', end: 15 });
  });

  it('beginsCounted', () => {
    expect(beginsCounted(fromLatin1('$$A10,'), 0, counted)).toBe('yes');
    expect(beginsCounted(fromLatin1('$$A1'), 0, counted)).toBe('more');
    expect(beginsCounted(fromLatin1('$GPRMC'), 0, counted)).toBe('no');
  });

  it('identifyCounted', () => {
    const bytes = fromLatin1('$$A28,864507030181266,AAA,35,');
    expect(identifyCounted(bytes, counted, /^\$\$.\d+,\d{15},[A-F0-9]{3},/, 30)).toBe('yes');
  });

  it('withSum', () => {
    expect(toLatin1(withSum('AB*'))).toBe('AB*AD\r\n');
  });

  it('hasSum', () => {
    expect(hasSum(fromLatin1('AB*ad'), 3)).toBe(true);
    expect(hasSum(fromLatin1('AB*ae'), 3)).toBe(false);
  });

  it('escapes', () => {
    const { plain, wire } = escapes([
      [0x7d, 0x01, 0x7d],
      [0x7d, 0x02, 0x7e],
    ]);
    expect(toHex(wire(fromHex('7e017e7e')))).toBe('7e017d027e');
    expect(toHex(plain(fromHex('7e017d027e'))!)).toBe('7e017e7e');
    expect(plain(fromHex('7e7d057e'))).toBeUndefined();
  });

  it('startsWith', () => {
    expect(['*HQ,1', '*H', '$GP'].map((text) => startsWith(fromLatin1(text), 0, '*HQ'))).toEqual(['yes', 'more', 'no']);
  });

  it('areDigits', () => {
    expect(areDigits(fromLatin1('imei:350000'), 5, 11)).toBe('yes');
    expect(areDigits(fromLatin1('imei:35'), 5, 11)).toBe('more');
  });

  it('matchesOpening', () => {
    expect(matchesOpening(fromLatin1('imei:350000000000014,tracker'), /^imei:\d{15},/, 21, ';')).toBe('yes');
    expect(matchesOpening(fromLatin1('imei:35'), /^imei:\d{15},/, 21, ';')).toBe('more');
  });

  it('datagrams', () => {
    expect(datagrams(fromHex('cafe'), NO_CONTEXT)).toEqual({ type: 'frame', start: 0, end: 2 });
  });

  it('datagramsOr', () => {
    const frame = datagramsOr(fixed(4));
    expect(frame(fromHex('cafe'), { ...NO_CONTEXT, transport: 'udp' })).toMatchObject({ type: 'frame', end: 2 });
    expect(frame(fromHex('cafe'), NO_CONTEXT)).toEqual({ type: 'wait', atLeast: 4 });
  });

  it('byTransport', () => {
    const frame = byTransport({ tcp: fixed(4), udp: fixed(2) });
    expect(frame(fromHex('cafe'), { ...NO_CONTEXT, transport: 'udp' })).toMatchObject({ type: 'frame', end: 2 });
  });

  it('firstOf', () => {
    const text = delimited({ starts: ['*HQ'], ends: ['#'], maxBytes: 300 });
    const frame = firstOf(text, fixed(4, [[0x24]]));
    expect(frame(fromHex('24010203'), NO_CONTEXT)).toMatchObject({ type: 'frame', end: 4 });
    expect(frame(fromLatin1('*HQ,1#'), NO_CONTEXT)).toMatchObject({ type: 'frame', end: 6 });
  });

  it('framingWith', () => {
    const frame = framingWith(startsOf(['$']), (bytes) => frameTo(bytes, 2));
    expect(frame.starts!.find(fromLatin1('ab$c'), 0)).toBe(2);
  });

  it('frameTo', () => {
    expect(frameTo(fromHex('cafe00'), 2)).toEqual({ type: 'frame', start: 0, end: 2 });
    expect(frameTo(fromHex('ca'), 2)).toEqual({ type: 'wait', atLeast: 2 });
  });

  it('NO_CONTEXT', () => {
    expect(fixed(1)(fromHex('ca'), NO_CONTEXT)).toMatchObject({ type: 'frame' });
  });

  it('startsOf', () => {
    const starts = startsOf(['*HQ', [0x24, 'bcd']]);
    expect(starts.begins(fromHex('2441'), 0)).toBe('yes');
    expect(starts.begins(fromHex('244a'), 0)).toBe('no');
    expect(starts.find(fromLatin1('..*HQ'), 0)).toBe(2);
  });

  it('startsBy', () => {
    const starts = startsBy(1, (bytes, at) => (bytes[at]! >= 0x80 ? 'yes' : 'no'));
    expect(starts.find(fromHex('010290'), 0)).toBe(2);
  });

  it('startsOfAll', () => {
    const starts = startsOfAll([startsOf(['*']), startsOf(['$'])]);
    expect(starts.find(fromLatin1('ab$*'), 0)).toBe(2);
  });

  it('toStarts', () => {
    const starts = startsOf(['$']);
    expect(toStarts(starts)).toBe(starts);
    expect(toStarts(['$']).begins(fromLatin1('$'), 0)).toBe('yes');
  });
});
