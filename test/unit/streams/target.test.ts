import { describe, expect, test } from 'vitest';
import { changeTarget, targetOf, withSecrets } from '../../../src/server/live/streams/target.ts';

describe('the password of a URL', () => {
  test.each([
    ['https://user:pw-secret@host/path', 'https://user@host/path'],
    ['HTTPS://user:pw-secret@host/path', 'https://user@host/path'],
    ['https:\\\\user:pw-secret@host/path', 'https://user@host/path'],
    ['https:user:pw-secret@host/path', 'https://user@host/path'],
    [' https://user:pw-secret@host/path', 'https://user@host/path'],
    ['https://user:Top@pw-secret@host/path', 'https://user@host/path'],
    ['https://:pw-secret@host/path', 'https://host/path'],
    ['kafka://user:pw-secret@host:9092', 'kafka://user@host:9092'],
    ['https://us\ter:pw-sec\tret@host/', 'https://user@host/'],
  ])('%j is stored apart', (url, shown) => {
    const target = targetOf(url, {});
    expect(target.url).toBe(shown);
    expect(new URL(withSecrets(target).url).password).toBe(new URL(url).password);
    expect(new URL(withSecrets(target).url).password).toContain('pw-secret');
  });

  test('a URL without one stays as it was given', () => {
    expect(targetOf('http://host', {}).url).toBe('http://host');
  });
});

describe('a change', () => {
  const before = targetOf('kafka://user:url-password@one:9092', {
    password: 'option-password',
    mechanism: 'SCRAM-SHA-512',
    batchSize: 5,
  });
  const secretsAfter = (given: Parameters<typeof changeTarget>[1]) => changeTarget(before, given).secrets;
  const kept = { url: 'url-password', options: { password: 'option-password' } };

  test('of what has no effect on the receiver keeps its secrets', () => {
    expect(secretsAfter({})).toEqual(kept);
    expect(secretsAfter({ url: before.url })).toEqual(kept);
    expect(secretsAfter({ options: { mechanism: 'SCRAM-SHA-512', batchSize: 7 } })).toEqual(kept);
  });

  test('of a secret replaces it', () => {
    const options = { mechanism: 'SCRAM-SHA-512', password: 'new' };
    expect(secretsAfter({ options })).toEqual({ url: 'url-password', options: { password: 'new' } });
    expect(secretsAfter({ url: 'kafka://user:other@one:9092' })).toEqual({ ...kept, url: 'other' });
  });

  test.each([
    ['another host', { url: 'kafka://user@two:9092' }],
    ['another port', { url: 'kafka://user@one:9093' }],
    ['another user in the URL', { url: 'kafka://admin@one:9092' }],
    ['another broker', { options: { mechanism: 'SCRAM-SHA-512', brokers: '127.0.0.1:18145' } }],
    ['a mechanism that sends the password in clear', { options: { mechanism: 'PLAIN' } }],
    ['another certificate authority', { options: { mechanism: 'SCRAM-SHA-512', ca: 'pem' } }],
    ['another user', { options: { mechanism: 'SCRAM-SHA-512', username: 'other' } }],
  ])('to %s drops them', (_what, given) => {
    expect(secretsAfter(given)).toEqual({ options: {} });
  });
});
