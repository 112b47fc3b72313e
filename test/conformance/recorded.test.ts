import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CodecError, type Message, type Protocol } from '#codec';
import { decodeRecorded, type RecordedSession } from '../../src/cli/recorded.ts';
import { loadCatalogue } from '../../src/codec/catalogue/index.ts';
import { isExcepted, staleExceptions } from './exceptions.ts';
import { implausibilities } from './plausible.ts';

/** Sessions of real devices, which are not part of the project. */
const folder =
  process.env['RECORDED_FRAMES'] ??
  join(fileURLToPath(import.meta.url), '..', '..', '..', '..', 'shared', 'vectors', 'frames');
const isThere = existsSync(folder);
const { protocols } = await loadCatalogue();
const RULE = 'recorded values';
const NOW = Date.UTC(2024, 5, 1);

function sessionsOf({ id }: Protocol): RecordedSession[] {
  const file = join(folder, `${id}.jsonl`);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as RecordedSession);
}

function problemsIn(protocol: Protocol, { session, frames }: RecordedSession): string[] {
  const problems: string[] = [];
  let state: unknown = protocol.initialState();
  for (const [index, frame] of frames.entries()) {
    let messages: readonly Message[] = [];
    try {
      ({ state, messages } = decodeRecorded(protocol, frame, state, NOW));
    } catch (error) {
      if (!(error instanceof CodecError)) throw error;
    }
    for (const message of messages)
      if (message.type === 'position')
        for (const problem of implausibilities(message)) problems.push(`${session}/${index}: ${problem}`);
  }
  return problems;
}

describe.skipIf(!isThere)('values of recorded frames are in the unit and range of the vocabulary', () => {
  it.each(protocols.map((protocol) => [protocol.id, protocol] as const))('%s', (id, protocol) => {
    const problems = sessionsOf(protocol).flatMap((session) => problemsIn(protocol, session));
    expect(problems.filter((problem) => !isExcepted(id, RULE, problem))).toEqual([]);
    expect(staleExceptions(id, RULE, problems), 'stale exceptions').toEqual([]);
  });
});
it.skipIf(isThere)('values of recorded frames: skipped, the recordings are not installed', () => {});
