import { setImmediate as turn } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { each, streamAnswer, type Write, writeObject } from '../../../../src/server/movement/api/answer-stream.ts';

const written = async (members: Readonly<Record<string, unknown>>): Promise<string[]> => {
  const pieces: string[] = [];
  const write: Write = (text) => void pieces.push(text);
  await writeObject(write, members);
  return pieces;
};

describe('an object written in pieces', () => {
  test('is the JSON of the whole', async () => {
    const members = { a: 1, b: 'x"y', c: null, d: [], e: [1, [2], { f: 3 }], g: { h: [1] }, i: false, j: undefined };
    expect((await written(members)).join('')).toBe(JSON.stringify(members));
    expect((await written({})).join('')).toBe('{}');
    expect((await written({ list: each(new Set([1, 2]), (n) => n * 2) })).join('')).toBe('{"list":[2,4]}');
  });

  test('of a long list has short chunks only', async () => {
    const list = Array.from({ length: 50_000 }, (_, n) => ({ n, text: 'some text of some length' }));
    const pieces = await written({ list });
    expect(pieces.join('')).toBe(JSON.stringify({ list }));
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(20_000);
  });
});

/** Holds the thread for so many ms. */
function compute(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('an answer', () => {
  let app: FastifyInstance | undefined;
  afterEach(() => app?.close());
  const serve = async (produce: (write: Write, signal: AbortSignal) => Promise<void>): Promise<string> => {
    app = Fastify({ forceCloseConnections: true });
    app.get('/', (_, reply) => streamAnswer(reply, 'text/plain', produce));
    return app.listen({ port: 0, host: '127.0.0.1' });
  };

  test('does not block other tasks while it is written', async () => {
    let iterations = 0;
    let isMaking = true;
    const count = (): void => {
      iterations++;
      if (isMaking) setImmediate(count);
    };
    const url = await serve(async (write) => {
      setImmediate(count);
      for (let i = 0; i < 100; i++) {
        compute(2);
        await write('x'.repeat(1_000));
      }
      isMaking = false;
    });
    const text = await (await fetch(url)).text();
    expect(text).toHaveLength(100_000);
    // 200 ms of work, of which a turn has 8 and what was begun
    expect(iterations).toBeGreaterThan(15);
  });

  test('that fails before its first chunk is an error, afterwards the connection is closed', async () => {
    const early = await serve(async () => {
      throw new Error('early');
    });
    expect((await fetch(early)).status).toBe(500);
    await app?.close();
    const late = await serve(async (write) => {
      await write('half');
      await turn();
      throw new Error('late');
    });
    await expect(fetch(late).then((response) => response.text())).rejects.toThrow();
  });

  test('stops when the client has disconnected', async () => {
    let aborted: (reason: unknown) => void = () => {};
    const left = new Promise((resolve) => {
      aborted = resolve;
    });
    const url = await serve(async (write) => {
      try {
        for (;;) await write('x'.repeat(10_000));
      } catch (error) {
        aborted(error);
        throw error;
      }
    });
    const controller = new AbortController();
    const response = await fetch(url, { signal: controller.signal });
    await response.body!.getReader().read();
    controller.abort();
    expect(await left).toMatchObject({ message: 'The client has left' });
  });
});
