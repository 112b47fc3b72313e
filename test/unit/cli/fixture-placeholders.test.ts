import { describe, expect, it } from 'vitest';
import { completeFixture } from '../../../src/cli/fixture-placeholders.ts';
import { example, exampleFixtures } from '../../conformance/example-protocol.ts';

const { frames = [] } = exampleFixtures[0]!.fixture;
const login = frames[0]!.wire;
const [reply] = frames[0]!.replies;

/** Length (one byte, behind the marks) and checksum (the last two) as placeholders. */
const open = (wire: string): string => `${wire.slice(0, 4)}{length:1}${wire.slice(6, -4)}{checksum:2}`;

describe('placeholders of a fixture', () => {
  it('are filled in by frame and verify of the protocol', () => {
    const { wires, problems } = completeFixture(example, {
      transport: 'tcp',
      frames: frames.map(({ wire }) => ({ wire: open(wire) })),
    });
    expect(problems).toEqual([]);
    expect([...wires.values()]).toEqual(frames.map(({ wire }) => wire));
  });

  it('of replies and commands are filled in from what the protocol encodes', () => {
    const { wires, problems } = completeFixture(example, {
      transport: 'tcp',
      frames: [{ wire: login, replies: [{ when: 'stored', wire: open(reply!.wire) }] }],
      commands: [
        {
          type: 'custom',
          params: { data: 'STATUS' },
          deviceId: '1',
          wire: '2424{length:1}900000535441545553{checksum:2}',
        },
      ],
    });
    expect(problems).toEqual([]);
    expect(wires.get(open(reply!.wire))).toBe(reply!.wire);
    expect(wires.get('2424{length:1}900000535441545553{checksum:2}')).toBe(
      exampleFixtures[1]!.fixture.commands![0]!.wire,
    );
  });

  it('are not filled in where another byte of the reply differs', () => {
    const { wires, problems } = completeFixture(example, {
      transport: 'tcp',
      frames: [{ wire: login, replies: [{ when: 'stored', wire: '2424{length:1}8102{checksum:2}' }] }],
    });
    expect(wires.size).toBe(0);
    expect(problems).toEqual([expect.stringContaining(reply!.wire)]);
  });

  it('are reported where nothing makes the bytes a frame', () => {
    const { problems } = completeFixture(example, {
      transport: 'tcp',
      frames: [{ wire: '2525{length:1}03{checksum:2}' }],
    });
    expect(problems).toEqual(['frame 0: no length and checksum, or several lengths, make it a frame']);
  });

  it('do not change frames without placeholders', () => {
    expect(completeFixture(example, { transport: 'tcp', frames: [{ wire: login }] })).toEqual({
      wires: new Map(),
      problems: [],
    });
  });
});
