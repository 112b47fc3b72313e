import { createDecipheriv, hkdfSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createSecrets } from '../../../src/server/kernel/secrets/index.ts';

const OLD = 'the key of last year, long enough';
const NEW = 'the key of this year, long enough';

describe('a sealed value', () => {
  const secrets = createSecrets(() => [NEW]);
  const sealed = secrets.seal('JBSWY3DPEHPK3PXP', 'user_otp.secret:usr_1');

  test('opens for its owner only', () => {
    expect(secrets.open(sealed, 'user_otp.secret:usr_1')).toBe('JBSWY3DPEHPK3PXP');
    expect(() => secrets.open(sealed, 'user_otp.secret:usr_2')).toThrow(/was changed/);
  });

  test('is AES-256-GCM with a key derived by HKDF-SHA256, as the documentation says', () => {
    const [, , , body] = sealed.split(':');
    const bytes = Buffer.from(body!, 'base64url');
    const key = Buffer.from(hkdfSync('sha256', NEW, '', 'fleetgate secrets aes-256-gcm', 32));
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
    decipher.setAAD(Buffer.from('user_otp.secret:usr_1')).setAuthTag(bytes.subarray(-16));
    expect(`${decipher.update(bytes.subarray(12, -16), undefined, 'utf8')}${decipher.final('utf8')}`).toBe(
      'JBSWY3DPEHPK3PXP',
    );
  });

  test('does not show its plain text, nor that two are equal', () => {
    expect(sealed).not.toContain('JBSWY3DPEHPK3PXP');
    expect(secrets.seal('JBSWY3DPEHPK3PXP', 'user_otp.secret:usr_1')).not.toBe(sealed);
  });

  test('with any changed byte does not open', () => {
    const [prefix, version, id, body] = sealed.split(':');
    const bytes = Buffer.from(body!, 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      const text = [prefix, version, id, changed.toString('base64url')].join(':');
      expect(() => secrets.open(text, 'user_otp.secret:usr_1')).toThrow(/was changed/);
    }
    expect(() => secrets.open([prefix, version, id, ''].join(':'), 'user_otp.secret:usr_1')).toThrow(/was changed/);
  });

  test('is required: clear text does not open', () => {
    expect(() => secrets.open('JBSWY3DPEHPK3PXP', 'user_otp.secret:usr_1')).toThrow(/not encrypted/);
  });
});

test('values of the previous key open, new ones are sealed with the current key', () => {
  const before = createSecrets(() => [OLD]).seal('text', 'a:1');
  const secrets = createSecrets(() => [NEW, OLD]);
  expect(secrets.open(before, 'a:1')).toBe('text');
  expect(secrets.seal('text', 'a:1').startsWith(secrets.currentPrefix)).toBe(true);
  expect(before.startsWith(secrets.currentPrefix)).toBe(false);
  expect(() => createSecrets(() => [NEW]).open(before, 'a:1')).toThrow(/is not known/);
});

test('keys are read again where a value names one that is not known', () => {
  let keys: [string, ...string[]] = [OLD];
  const running = createSecrets(() => keys);
  keys = [NEW, OLD];
  expect(running.open(createSecrets(() => keys).seal('text', 'a:1'), 'a:1')).toBe('text');
});

test('a running process seals with the new key: what the key before the previous one sealed would be lost', () => {
  let keys: [string, ...string[]] = [OLD];
  const running = createSecrets(() => keys);
  keys = [NEW, OLD];
  const sealed = running.seal('x', 'a:1');
  expect(createSecrets(() => [NEW]).open(sealed, 'a:1')).toBe('x');
});
