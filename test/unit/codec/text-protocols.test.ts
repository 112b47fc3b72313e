import { describe, expect, it } from 'vitest';
import { CodecError, commandBytes, customCommand, fromLatin1, textCommand, toLatin1 } from '#codec';
import { type Delimited, delimited, matchesOpening } from '#codec/framing';

const context = { transport: 'tcp', state: undefined, options: {} } as const;

const cut = (text: string, more: Partial<Delimited> = {}) => {
  const find = delimited({ starts: ['$A'], ends: ['\n'], maxBytes: 16, content: 'line', ...more });
  const found = find(fromLatin1(text), context);
  if (found.type === 'frame' && found.content !== undefined) return { ...found, content: toLatin1(found.content) };
  const { scan: _, ...result } = found;
  return result;
};

describe('sentences', () => {
  it('are framed up to their end, without it', () => {
    expect(cut('$Abc\r\n$A')).toEqual({ type: 'frame', start: 0, end: 6, content: '$Abc' });
    expect(cut('$Abc\n')).toMatchObject({ end: 5, content: '$Abc' });
    expect(cut('$Abc#', { ends: ['#'], content: 'whole' })).toEqual({ type: 'frame', start: 0, end: 5 });
  });

  it('are waited for, and other bytes are skipped', () => {
    expect(cut('$')).toEqual({ type: 'wait', atLeast: 2 });
    expect(cut('$Abc')).toEqual({ type: 'wait' });
    expect(cut('noise')).toEqual({ type: 'skip', bytes: 5 });
    expect(cut('noise$A')).toEqual({ type: 'skip', bytes: 5 });
    expect(cut('$B$A')).toEqual({ type: 'skip', bytes: 2 });
  });

  it('without end are given up for the next start', () => {
    expect(cut('$A34567890123456789')).toEqual({ type: 'skip', bytes: 16 });
    expect(cut('$A345$A890123456789')).toEqual({ type: 'skip', bytes: 5 });
  });

  it('are identified by their opening', () => {
    const opening = /^\$A\d{3},/;
    const match = (text: string) => matchesOpening(fromLatin1(text), opening, 8, '\n');
    expect([match('$A123,'), match('$A12'), match('$A12\n'), match('$A123456789')]).toEqual([
      'yes',
      'more',
      'no',
      'no',
    ]);
  });
});

describe('commands of text protocols', () => {
  const context = { state: 7, deviceId: '42', options: {}, ticket: '0', now: 0 };

  it('return their text', () => {
    expect(toLatin1(textCommand<number>('', 'AT').encode({}, context))).toBe('AT');
    expect(toLatin1(textCommand<number>('', (c) => `${c.deviceId},${c.state}`).encode({}, context))).toBe('42,7');
    expect(toLatin1(customCommand<number>('').encode({ data: 'x' }, context))).toBe('x');
    expect(toLatin1(customCommand<number>('', (data) => `<${data}>`).encode({ data: 'x' }, context))).toBe('<x>');
    expect(textCommand('', '', { repeatable: false }).repeatable).toBe(false);
  });

  it('refuse parameters that they cannot encode', () => {
    expect(() => commandBytes('€')).toThrow(CodecError);
    expect(() => customCommand<number>('').encode({}, context)).toThrow(CodecError);
  });
});
