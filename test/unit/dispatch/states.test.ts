import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { finalStates, inFlightStates, isFinal, openStates, states } from '../../../src/contract/command.ts';

const src = join(import.meta.dirname, '../../../src');
const schema = readFileSync(join(src, 'server/database/schema.sql'), 'utf8');

/** Statements of this project about commands, by file. */
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('/store.ts') || /\/sql\/.*\.sql$/.test(path) || path.endsWith('schema.sql'))
  .map((path) => ({ path, text: readFileSync(join(src, path), 'utf8') }));

/** The lists of states in a text: `in ('a', 'b')`, and as PostgreSQL prints it, `ANY (ARRAY['a'::text, 'b'::text])`. */
const listsIn = (text: string): string[][] =>
  [...text.matchAll(/state\)?\s+(?:not )?in \(([^()]*)\)|state = any \(array\[([^\]]*)\]\)/gi)]
    .map((match) => [...(match[1] ?? match[2])!.matchAll(/'([a-z-]+)'/g)].map(([, state]) => state!))
    // `waiting` is a state of scheduled reports
    .filter((list) => list.includes('sending') && !list.includes('waiting'));

describe('states of commands', () => {
  it('are open or final, and some open ones in flight', () => {
    expect(states).toEqual([...openStates, ...finalStates]);
    expect(states.filter(isFinal)).toEqual([...finalStates]);
    expect(openStates).toEqual(expect.arrayContaining([...inFlightStates]));
  });

  it('are those that the table allows', () => {
    const [, list] = /constraint command_state_check CHECK \(\(state = ANY \(ARRAY\[([^\]]*)\]/.exec(schema)!;
    expect([...list!.matchAll(/'([a-z]+)'::text/g)].map(([, state]) => state)).toEqual([...states]);
  });

  it('are listed whole in SQL: those in flight, the open ones, or all', () => {
    const known = [inFlightStates, openStates, states].map((list) => list.join());
    const lists = files.flatMap(({ path, text }) => listsIn(text).map((list) => ({ path, list: list.join() })));
    expect(lists.length).toBeGreaterThan(20);
    expect(lists.filter(({ list }) => !known.includes(list))).toEqual([]);
  });

  it('that are listed in part are found', () => {
    expect(listsIn(`where c.state in ('pending', 'sending')`)).toEqual([['pending', 'sending']]);
    expect(listsIn(`WHERE (state = ANY (ARRAY['sending'::text, 'sent'::text]))`)).toEqual([['sending', 'sent']]);
    expect(listsIn(`where f.state not in ('sending')`)).toEqual([['sending']]);
  });
});
