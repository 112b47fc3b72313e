import { expect, test } from 'vitest';
import { receiverPauseS } from '../../../../src/platform/backoff.ts';
import { newSecret, signatureHeaders } from '../../../../src/server/live/callbacks/signature.ts';
import { decide } from '../../../../src/server/live/callbacks/wake-ups.ts';

test('requests are signed as Standard Webhooks says', () => {
  // the example of the specification's reference implementation
  const headers = signatureHeaders('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: 1_614_265_330_000,
    body: '{"test": 2432232314}',
  });
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
  expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});

test('delays grow, and a day contains a few attempts', () => {
  const pauses = Array.from({ length: 30 }, (_, i) => receiverPauseS(i + 1));
  expect(pauses.toSorted((a, b) => a - b)).toEqual(pauses);
  let tries = 0;
  for (let total = 0; total <= 86_400; total += receiverPauseS(++tries));
  expect(tries).toBeGreaterThan(10);
  expect(tries).toBeLessThan(30);
});

test('a wake-up is sent for commands that are pending while the device is offline, and for no others', () => {
  const row = {
    commandId: 'c',
    tenantId: 1,
    state: 'pending',
    isOver: false,
    notBefore: null,
    isOnline: false,
    url: 'u',
  };
  expect(decide(row)).toBe('wake');
  expect(decide({ ...row, isOnline: true })).toBe('later');
  expect(decide({ ...row, state: 'sent' })).toBe('later');
  expect(decide({ ...row, state: 'acknowledged' })).toBe('drop');
  expect(decide({ ...row, state: null })).toBe('drop');
  expect(decide({ ...row, isOver: true })).toBe('drop');
  expect(decide({ ...row, url: null })).toBe('drop');
});
