import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { toHex } from '#codec';
import { toGbk } from '../../protocols/jt808/gbk.ts';
import { needs } from '../support/programs.ts';

const python = needs('python');
/** `<code point> <bytes>` of each character of the basic plane that the codec of Python has; surrogates have none. */
const TABLE = `
for point in range(0x10000):
    try:
        print('%04x' % point, chr(point).encode('gbk').hex())
    except UnicodeEncodeError:
        pass
`;

test.skipIf(python === undefined)('text in GBK has the bytes that Python gives each character, and no others', () => {
  const lines = execFileSync(python!, ['-c', TABLE], { encoding: 'utf8' }).trim().split('\n');
  const expected = new Map(lines.map((line) => line.split(' ') as [string, string]));
  // 128 of ASCII, and GBK of 1995
  expect(expected.size).toBe(128 + 21_791);
  const found = new Map<string, string>();
  for (let point = 0; point < 0x10000; point++) {
    try {
      found.set(point.toString(16).padStart(4, '0'), toHex(toGbk(String.fromCharCode(point))));
    } catch {
      // no character of GBK
    }
  }
  expect(found).toEqual(expected);
});
