import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const page = readFileSync('docs/security.md', 'utf8');
/** of version 5.0.0 */
const CHAPTERS = [
  'V1 Encoding and Sanitization',
  'V2 Validation and Business Logic',
  'V3 Web Frontend Security',
  'V4 API and Web Service',
  'V5 File Handling',
  'V6 Authentication',
  'V7 Session Management',
  'V8 Authorization',
  'V9 Self-contained Tokens',
  'V10 OAuth and OIDC',
  'V11 Cryptography',
  'V12 Secure Communication',
  'V13 Configuration',
  'V14 Data Protection',
  'V15 Secure Coding and Architecture',
  'V16 Security Logging and Error Handling',
  'V17 WebRTC',
];
const rows = page
  .split('\n')
  .filter((line) => /^\| V\d+ /.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

it('the page on security has a row for every chapter of OWASP ASVS', () => {
  expect(rows.map(([, chapter]) => chapter)).toEqual(CHAPTERS);
});

it('every chapter that applies has a state and tests, and says what is open where it is not met', () => {
  for (const [, chapter, state, open, tests] of rows) {
    expect(state, chapter).toMatch(/^(met\b|mostly$|not applicable$)/);
    expect(open === '', `${chapter}: what is open`).toBe(state !== 'mostly');
    if (state !== 'not applicable') expect(tests, chapter).toMatch(/`test\//);
  }
});

it('every file that the page names exists', () => {
  const files = [...page.matchAll(/`(test\/[^`]+)`/g)].map(([, file]) => file!);
  expect(files.length).toBeGreaterThan(30);
  for (const file of files) expect(existsSync(file), file).toBe(true);
  for (const [, link] of page.matchAll(/\]\(([^)#]+)[^)]*\)/g)) expect(existsSync(`docs/${link}`), link).toBe(true);
});
