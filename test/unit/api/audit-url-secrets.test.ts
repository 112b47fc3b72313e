import { expect, test } from 'vitest';
import { auditJson } from '../../../src/server/kernel/audit/url-secrets.ts';

test.each([
  ['https://joe:pass@example.org/h', 'https://joe:***@example.org/h'],
  ['https://joe:pa:ss@example.org/h?a=1&b=2#c', 'https://joe:***@example.org/h?a=***&b=***#c'],
  ['https://example.org/@me:x', 'https://example.org/@me:x'],
  ['HTTPS://example.org:8443/h?token=t', 'HTTPS://example.org:8443/h?token=***'],
  ['mqtt://u:p@[::1]:1883', 'mqtt://u:***@[::1]:1883'],
  [' https://joe:pass@example.org/h', 'https://joe:***@example.org/h'],
  ['https:\\\\joe:pass@example.org/h?t=1', 'https://joe:***@example.org/h?t=***'],
  ['https:joe:pass@example.org', 'https://joe:***@example.org/'],
  ['https://joe:Top@Secret2@example.org/', 'https://joe:***@example.org/'],
  ['http:///a:9&b=1@host/', 'http://a:***@host/'],
  ['where a=b & c?d=e', 'where a=b & c?d=e'],
])('%s is written to the audit trail as %s', (text, expected) => {
  expect(JSON.parse(auditJson({ url: text, list: [text] }))).toEqual({ url: expected, list: [expected] });
});

test('dates and numbers are written as they are', () => {
  expect(auditJson({ at: new Date(0), count: 1, none: null })).toBe(
    JSON.stringify({ at: new Date(0), count: 1, none: null }),
  );
});
