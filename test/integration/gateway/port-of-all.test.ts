import { expect, test } from 'vitest';
import type { StreamProtocol } from '#codec';
import { loadCatalogue } from '../../../src/codec/catalogue/index.ts';
import { identify } from '../../../src/gateway/connection/identify.ts';
import { loadFixtures, wireBytes } from '../../support/fixtures.ts';

const NOW = Date.UTC(2026, 10, 20);
const { streams: protocols } = await loadCatalogue();

interface Session {
  readonly place: string;
  readonly owner: string;
  readonly transport: 'tcp' | 'udp';
  readonly frames: readonly Uint8Array[];
}

/** What is recorded of devices that nobody knows yet, from the first frame of their connection on. */
const sessions: readonly Session[] = protocols.flatMap(({ id }) =>
  loadFixtures(id).flatMap(({ name, fixture: { deviceId, transport, frames } }) =>
    deviceId !== undefined || frames?.[0] === undefined
      ? []
      : [{ place: `${id} ${name}`, owner: id, transport, frames: frames.map(({ wire }) => wireBytes(wire)) }],
  ),
);

/** As a connection asks: with all that has come, and for the last time when the device waits for an answer. */
function chosen(bytes: Uint8Array, transport: 'tcp' | 'udp'): StreamProtocol | undefined {
  const guess = identify(bytes, transport, protocols, NOW, transport === 'udp');
  const last = guess.type === 'more' ? identify(bytes, transport, protocols, NOW, true) : guess;
  return last.type === 'decided' ? last.protocol : undefined;
}

test('the port of all protocols identifies recorded devices by their first frame', () => {
  const unknown = sessions.filter(({ frames, transport, owner }) => chosen(frames[0]!, transport)?.id !== owner);
  expect(sessions.length).toBeGreaterThan(100);
  expect(unknown.length / sessions.length, unknown.map(({ place }) => place).join(', ')).toBeLessThanOrEqual(0.05);
});

test('nearly all of them are identified as soon as the frame is there, without a wait for more', () => {
  const waiting = sessions.filter(({ frames, transport }) => {
    return transport === 'tcp' && identify(frames[0]!, transport, protocols, NOW, false).type !== 'decided';
  });
  expect(waiting.length / sessions.length, waiting.map(({ place }) => place).join(', ')).toBeLessThanOrEqual(0.02);
});

test('no device is identified as another protocol, at any chunk size', () => {
  const wrong = sessions.flatMap(({ place, owner, transport, frames: [first] }) => {
    const lengths = transport === 'udp' ? [first!.length] : Array.from(first!, (_, index) => index + 1);
    return lengths.flatMap((length) => {
      const guess = identify(first!.slice(0, length), transport, protocols, NOW, false);
      return guess.type === 'decided' && guess.protocol.id !== owner
        ? [`${place}: ${length} bytes are taken for ${guess.protocol.id}`]
        : [];
    });
  });
  expect(wrong).toEqual([]);
});

test('a frame that says nothing before the login identifies its protocol by its checksum', () => {
  const heartbeat = Uint8Array.from(Buffer.from('78780a138000030002007e30ef0d0a', 'hex'));
  expect(identify(heartbeat, 'tcp', protocols, NOW, false)).toMatchObject({
    type: 'decided',
    protocol: { id: 'gt06' },
  });
  const cut = identify(heartbeat.slice(0, -3), 'tcp', protocols, NOW, false);
  expect(cut).toMatchObject({ type: 'more' });
  const wrong = identify(heartbeat.with(5, 0x41), 'tcp', protocols, NOW, false);
  expect(wrong.type === 'decided' && wrong.protocol.id === 'gt06').toBe(false);
});
