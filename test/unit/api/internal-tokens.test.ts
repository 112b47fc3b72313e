import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { GATEWAY_SCOPES } from '../../../src/server/kernel/access/index.ts';
import { createInternalTokens, derive, TOKEN_SECONDS } from '../../../src/server/kernel/auth/internal-tokens.ts';
import { assertion } from '../../support/api.ts';

const KEY = 'the internal key of an installation';
const tokens = createInternalTokens([KEY], systemClock);
const now = Math.floor(systemClock.now() / 1000);

/** A token as somebody signs it who has taken INTERNAL_KEY from a gateway. */
const forge = (claims: { scope: string; iat?: number; exp: number }): Promise<string> => {
  const { iat = now, exp, scope } = claims;
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
    .setSubject('gw-1')
    .setAudience('fleetgate')
    .setJti('j')
    .setIssuedAt(iat)
    .setExpirationTime(exp)
    .sign(derive(KEY, 'fleetgate access token'));
};

test('a token of a gateway has the scopes of gateways, whatever it claims', async () => {
  const issued = await tokens.verify(await tokens.exchange('gateway', await assertion('gw-1', KEY)));
  expect([...issued!.principal.scopes]).toEqual([...GATEWAY_SCOPES]);
  const scope = 'internal ops ops:write users:write commands:privileged vehicles:read';
  const forged = await tokens.verify(await forge({ scope, exp: now + TOKEN_SECONDS }));
  expect([...forged!.principal.scopes]).toEqual(['internal']);
});

test.each([
  ['lives for a year', { exp: now + 365 * 86_400 }],
  ['lives for a second longer than tokens do', { exp: now + TOKEN_SECONDS + 1 }],
  ['was issued in the future', { iat: now + 86_000, exp: now + 86_000 + TOKEN_SECONDS }],
  ['was issued long ago', { iat: now - 86_400, exp: now + TOKEN_SECONDS }],
])('a token that %s is refused', async (_what, claims) => {
  expect(await tokens.verify(await forge({ scope: 'internal', ...claims }))).toBeUndefined();
});

describe('while the key is replaced', () => {
  const NEXT = 'the key that is going to be used instead';
  const before = createInternalTokens([KEY, NEXT], systemClock);
  const after = createInternalTokens([NEXT, KEY], systemClock);

  test.each([KEY, NEXT])('gateways with either key get a token of every API process', async (key) => {
    for (const api of [before, after]) {
      const token = await api.exchange('gateway', await assertion('gw-1', key));
      // … which the others accept
      for (const other of [before, after]) expect((await other.verify(token))?.principal.id).toBe('gw-1');
    }
  });

  test('a key that has been removed is refused', async () => {
    const done = createInternalTokens([NEXT], systemClock);
    await expect(done.exchange('gateway', await assertion('gw-1', KEY))).rejects.toThrow(/signature/);
    const old = await before.exchange('gateway', await assertion('gw-1', KEY));
    expect(await done.verify(old)).toBeUndefined();
  });
});
