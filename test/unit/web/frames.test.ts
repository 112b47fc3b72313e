import { expect, it } from 'vitest';
import { type StreamEvent, takeFrames } from '../../../web/src/frames.ts';

const STREAM =
  ': connected\n\nid: 1\nevent: position\ndata: {"imei":"1","at":"10:00:00"}\n\nevent:gap\ndata:{}\n\n' +
  'id: 2\nevent: command\ndata: {"text":"a: b"}\n\nretry: 5\n\n';

it('takes events out of a stream, wherever the chunks end', () => {
  for (let size = 1; size <= STREAM.length; size++) {
    const taken: [StreamEvent, string | undefined][] = [];
    let rest = '';
    for (let at = 0; at < STREAM.length; at += size) {
      rest = takeFrames(rest + STREAM.slice(at, at + size), (event, id) => taken.push([event, id]));
    }
    expect(taken, String(size)).toEqual([
      [{ type: 'position', data: { imei: '1', at: '10:00:00' } }, '1'],
      [{ type: 'gap', data: {} }, undefined],
      [{ type: 'command', data: { text: 'a: b' } }, '2'],
    ]);
    expect(rest).toBe('');
  }
});

it('keeps what is not complete', () => {
  expect(takeFrames('event: gap\ndata: {}\n', () => expect.unreachable())).toBe('event: gap\ndata: {}\n');
});
