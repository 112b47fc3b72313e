import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { StreamProtocol } from '#codec';
import {
  type ConnectionState,
  connectionEvents,
  connectionStates,
  table,
} from '../../../src/gateway/connection/states.ts';
import { example } from '../../conformance/example-protocol.ts';
import { HEARTBEAT, HeldConnection, LOGIN, nextTurn, OTHER_LOGIN } from './held-connection.ts';

const transitions = connectionStates.flatMap((from) =>
  connectionEvents.flatMap((event) => {
    const to = table[from].on[event];
    return to === undefined ? [] : [{ from, event, to }];
  }),
);

/** States that can be reached from a state. */
function reachable(from: ConnectionState): Set<ConnectionState> {
  const found = new Set<ConnectionState>([from]);
  for (const state of found) for (const next of Object.values(table[state].on)) found.add(next);
  return found;
}

describe('the table of a connection', () => {
  it('reaches every state from the first one, and the last one from every state', () => {
    expect([...reachable('identifying')].sort()).toEqual([...connectionStates].sort());
    expect(connectionStates.filter((state) => !reachable(state).has('closed'))).toEqual([]);
  });

  it('does not open again what has been closed', () => {
    const reopened = connectionStates.filter(
      (state) => !table[state].isOpen && [...reachable(state)].some((next) => table[next].isOpen),
    );
    expect(reopened).toEqual([]);
  });

  it('stops reading, closes and ends in every open state', () => {
    const missing = connectionStates
      .filter((state) => table[state].isOpen)
      .flatMap((state) => (['hold', 'stop', 'close'] as const).map((event) => ({ state, event })))
      .filter(({ state, event }) => table[table[state].on[event] ?? state].isOpen);
    expect(missing).toEqual([]);
  });

  it('is the picture in the README', () => {
    const page = readFileSync(new URL('../../../src/gateway/connection/README.md', import.meta.url), 'utf8');
    const [, diagram] = /^```mermaid\n(stateDiagram-v2[\s\S]*?)^```/m.exec(page)!;
    const inside = new Set(/state open \{\n([\s\S]*?)\}/.exec(diagram!)![1]!.match(/\w+(?= -->)/g));
    const edges = [...diagram!.matchAll(/^ +(\w+) --> (\w+): (.+)$/gm)].flatMap(([, from, to, events]) =>
      (from === 'open' ? [...inside] : [from]).flatMap((state) =>
        events!.split(', ').map((event) => `${state} ${event} ${to}`),
      ),
    );
    expect(edges.sort()).toEqual(transitions.map(({ from, event, to }) => `${from} ${event} ${to}`).sort());
  });
});

const several = [example, { ...example, id: 'twin' }] as readonly StreamProtocol[];

/** How a connection gets into each state. */
const reach: Record<ConnectionState, () => HeldConnection | Promise<HeldConnection>> = {
  identifying: () => new HeldConnection({ protocols: several }),
  reading: () => received(LOGIN),
  yielding: () => received(LOGIN, HEARTBEAT, HEARTBEAT),
  lookup: () => {
    const held = received(LOGIN);
    held.sessions.isLookUpNeeded = true;
    held.receive(HEARTBEAT);
    return held;
  },
  // left at once: the frames are taken in the call that enters it
  draining: () => {
    const held = received(LOGIN, HEARTBEAT, HEARTBEAT);
    held.connection.onClose();
    return held;
  },
  lastLookup: async () => {
    const held = await reach.lookup();
    held.connection.onClose();
    return held;
  },
  held: () => {
    const held = new HeldConnection({ hasDeviceList: false });
    held.receive(LOGIN);
    return held;
  },
  stopped: () => {
    const held = received(LOGIN);
    held.connection.stopReading();
    return held;
  },
  closing: () => {
    const held = received(LOGIN);
    held.connection.close('silent');
    return held;
  },
  ended: async () => {
    const held = await reach.closing();
    await held.makeDurable();
    return held;
  },
  closed: () => {
    const held = received(LOGIN);
    held.connection.onClose();
    return held;
  },
};

function received(...frames: Uint8Array[]): HeldConnection {
  const held = new HeldConnection();
  held.receive(...frames);
  return held;
}

/** Events from outside, each with what it does to a connection. */
const outside = {
  bytes: (held) => held.receive(HEARTBEAT),
  turn: async () => {
    await nextTurn();
  },
  answer: (held) => held.answerLookUp(),
  room: (held) => held.connection.resumeReading(),
  stop: (held) => held.connection.stopReading(),
  close: (held) => held.connection.close('closed by a test'),
  durable: (held) => held.makeDurable(),
  gone: (held) => held.connection.onClose(),
  silence: (held) => held.sweepAfter(60_001),
} satisfies Record<string, (held: HeldConnection) => void | Promise<void>>;
type Outside = keyof typeof outside;

/** The state after each event; an event that is not listed does not change it. Records are not durable before `durable`. */
const expected: Record<Exclude<ConnectionState, 'draining'>, Partial<Record<Outside, ConnectionState>>> = {
  identifying: { bytes: 'ended', stop: 'stopped', close: 'ended', gone: 'closed', silence: 'ended' },
  reading: { stop: 'stopped', close: 'closing', gone: 'closed', silence: 'closing' },
  yielding: {
    turn: 'reading',
    answer: 'reading',
    durable: 'reading',
    stop: 'stopped',
    close: 'closing',
    gone: 'closed',
    silence: 'closing',
  },
  lookup: { answer: 'reading', stop: 'stopped', close: 'closing', gone: 'lastLookup', silence: 'closing' },
  lastLookup: { answer: 'closed', stop: 'closed', close: 'closed', silence: 'closed' },
  held: { close: 'ended', gone: 'closed' },
  stopped: { close: 'closing', gone: 'closed' },
  closing: { durable: 'ended', gone: 'closed' },
  ended: { gone: 'closed' },
  closed: {},
};

const cells = connectionStates.flatMap((state) =>
  state === 'draining' ? [] : (Object.keys(outside) as Outside[]).map((event) => ({ state, event })),
);

describe('a connection follows its table', () => {
  it.each(cells)('$state: $event', async ({ state, event }) => {
    const held = await reach[state]();
    expect(held.connection.state).toBe(state);
    const before = held.events.length;
    await outside[event](held);
    const after = expected[state as keyof typeof expected][event] ?? state;
    expect(held.connection.state).toBe(after);
    expect(held.socket.isReading).toBe(table[after].socket !== 'paused');
    if (!table[state].isOpen && event !== 'gone') expect(held.events).toHaveLength(before);
  });

  it('draining: what is left is taken in the call that enters it, and the session ends once', async () => {
    const held = await reach.draining();
    expect(held.connection.state).toBe('closed');
    for (const event of Object.values(outside)) await event(held);
    expect(held.events.filter((type) => type === 'session-closed')).toHaveLength(1);
    expect(held.counters.of('example').connections).toBe(0);
  });

  it('draining: a login that is refused ends it, and the session ends once', () => {
    const held = received(LOGIN, HEARTBEAT, OTHER_LOGIN, HEARTBEAT, HEARTBEAT, HEARTBEAT);
    held.connection.onClose();
    expect([held.connection.state, held.connection.closeReason]).toEqual(['closed', 'refused']);
    expect(held.counters.of('example').connections).toBe(0);
    expect(held.events).toEqual(['session-opened', 'heartbeat', 'knock', 'session-closed']);
  });
});
