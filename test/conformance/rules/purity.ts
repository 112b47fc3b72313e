import { isDeepStrictEqual } from 'node:util';
import { CodecError, type DecodeContext, type DriverStep, type StreamProtocol, toHex } from '#codec';
import { type Fixture, wireBytes } from '../../support/fixtures.ts';
import { createRandom, mutate } from '../../support/random.ts';
import {
  clockOf,
  difference,
  frameCasesOf,
  type Outcome,
  outcomeOf,
  type Rule,
  type Subject,
  start,
  ViolationList,
} from './subject.ts';

/** Freezes what can be frozen; bytes cannot, and are compared instead. */
function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
}

type Result = { readonly value: unknown } | { readonly code: string };

function decodeOnce(protocol: StreamProtocol<unknown>, frame: Uint8Array, context: DecodeContext<unknown>): Result {
  try {
    return { value: protocol.decode(frame, context) };
  } catch (error) {
    if (error instanceof CodecError) return { code: error.code };
    throw error;
  }
}

function purityProblems(
  protocol: StreamProtocol<unknown>,
  bytes: Uint8Array,
  context: DecodeContext<unknown>,
): string | undefined {
  const frame = Uint8Array.from(bytes);
  const before = structuredClone(context.state);
  deepFreeze(context.state);
  let first: Result;
  let second: Result;
  try {
    first = decodeOnce(protocol, frame, context);
    const kept = structuredClone(first);
    second = decodeOnce(protocol, frame, context);
    if (!isDeepStrictEqual(first, kept)) return 'decoding again changes an earlier result';
  } catch (error) {
    return `with a frozen state: ${error}`;
  }
  if (!isDeepStrictEqual(first, second)) return 'the same bytes in the same state mean something else';
  if (toHex(frame) !== toHex(bytes)) return 'decode writes into the frame';
  if (!isDeepStrictEqual(structuredClone(context.state), before)) return 'decode changes its input state';
  // The same bytes inside of a larger buffer, as sockets deliver them: the bytes around them must have no effect.
  const around = new Uint8Array(bytes.length + 64).fill(0xee);
  around.set(bytes, 32);
  const inside = decodeOnce(protocol, around.subarray(32, 32 + bytes.length), context);
  if (!isDeepStrictEqual(JSON.stringify(inside), JSON.stringify(first)))
    return 'bytes around the frame show in its meaning';
  return undefined;
}

export const purity: Rule = {
  name: 'decode is pure: it changes no input and keeps no hidden state',
  check(subject) {
    const found = new ViolationList();
    const random = createRandom(6);
    const cases = frameCasesOf(subject);
    const contents = cases.map(({ content, wire }) => content ?? wire);
    for (const { fixture, place, state, content, wire } of cases) {
      const { transport, options = {} } = fixture;
      const context = { transport, state, options, now: clockOf(fixture) };
      for (let round = 0; round < 20 && !found.enough; round++) {
        const frame = round === 0 ? (content ?? wire) : mutate(content ?? wire, random.pick(contents), random);
        try {
          const problem = purityProblems(subject.protocol, frame, context);
          if (problem !== undefined) found.add(place, `${problem}: ${toHex(frame)}`);
        } catch (error) {
          found.add(place, `${error}: ${toHex(frame)}`);
        }
      }
    }
    return found.violations;
  },
};

export const isolation: Rule = {
  name: 'connections do not affect each other',
  check(subject) {
    const found = new ViolationList();
    const together = runTogether(subject);
    for (const [index, { name, fixture }] of subject.fixtures.entries()) {
      const differs = difference(together[index], runAlone(subject, fixture));
      if (differs) found.add(name, `beside other connections ${differs}`);
    }
    return found.violations;
  },
};

/** Reads every step at once. */
function runAlone(subject: Subject, fixture: Fixture): Outcome[] {
  const driver = start(subject, fixture);
  return (fixture.frames ?? []).flatMap(({ wire }) => driver.push(wireBytes(wire), clockOf(fixture)).map(outcomeOf));
}

/** Runs fixtures side by side, frame by frame, and reads the steps only at the end. */
function runTogether(subject: Subject): Outcome[][] {
  const runs = subject.fixtures.map(({ fixture }) => {
    const steps: DriverStep[] = [];
    return { fixture, driver: start(subject, fixture), steps };
  });
  const longest = Math.max(0, ...runs.map(({ fixture }) => fixture.frames?.length ?? 0));
  for (let frame = 0; frame < longest; frame++) {
    for (const { fixture, driver, steps } of runs) {
      const golden = fixture.frames?.[frame];
      if (golden !== undefined) steps.push(...driver.push(wireBytes(golden.wire), clockOf(fixture)));
    }
  }
  return runs.map(({ steps }) => steps.map(outcomeOf));
}
