import { CodecError, type Message, type Position, toHex } from '#codec';
import { positionRecord } from '../../../src/contract/position.ts';
import { encodePosition, normalise } from '../../../src/contract/telemetry/index.ts';
import { createRandom, mutate } from '../../support/random.ts';
import { clockOf, frameCasesOf, type Rule, ViolationList } from './subject.ts';

/** Why a decoded record cannot be stored in the database, or undefined. */
export function storageProblem(protocol: string, position: Position): string | undefined {
  try {
    const { json } = encodePosition('356307042441013', protocol, normalise(position), Date.UTC(2024, 5, 1));
    const parsed = positionRecord.safeParse(JSON.parse(json));
    return parsed.success ? undefined : parsed.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; ');
  } catch (error) {
    return String(error);
  }
}

export const storable: Rule = {
  name: 'what is decoded of damaged frames can be stored',
  check({ protocol, ...subject }) {
    const found = new ViolationList();
    const random = createRandom(8);
    const cases = frameCasesOf({ protocol, ...subject });
    const contents = cases.map(({ content, wire }) => content ?? wire);
    for (const { fixture, place, state, content, wire } of cases) {
      const context = { transport: fixture.transport, state, options: fixture.options ?? {}, now: clockOf(fixture) };
      for (let round = 0; round < 20 && !found.enough; round++) {
        const frame = round === 0 ? (content ?? wire) : mutate(content ?? wire, random.pick(contents), random);
        let messages: readonly Message[] = [];
        try {
          ({ messages } = protocol.decode(frame, context));
        } catch (error) {
          if (!(error instanceof CodecError)) throw error;
        }
        for (const message of messages) {
          const problem = message.type === 'position' ? storageProblem(protocol.id, message) : undefined;
          if (problem !== undefined) found.add(place, `${problem} from ${toHex(frame)}`);
        }
      }
    }
    return found.violations;
  },
};
