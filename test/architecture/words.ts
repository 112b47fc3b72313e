import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { root } from './sources.ts';

/** A word that the project does not use, what to write instead, and where the ban applies if not everywhere. */
interface BannedWord {
  readonly pattern: RegExp;
  readonly instead: string;
  readonly paths?: RegExp;
}

/**
 * Matched against lower-case text in which identifiers are split into words: `toldOf` reads `told of`, `let_in` reads
 * `let in`.
 */
export const bannedWords: readonly BannedWord[] = [
  {
    // columns that end in `_at`, a lamp, and two stored names: of a rule's state, and of a marker file
    pattern: /\b(?:told|telling|tells?)\b(?! (?:at|tale)\b)/g,
    instead: 'notified, reported, says, distinguishes',
    paths: /^(?!src\/(?:alerts\/earlier-states|apps\/keys)\.ts$)/,
  },
  { pattern: /(?<!\bthere )\b(?:is|are|was|were) none\b(?! of\b)/g, instead: 'is not …, does not exist' },
  { pattern: /\banew\b/g, instead: 'again, from scratch' },
  { pattern: /\bwhom\b/g, instead: 'a sentence that says who does what' },
  { pattern: /\bhabits?\b/g, instead: 'duplicate heuristic' },
  { pattern: /\bmanners?\b/g, instead: 'write mode' },
  // but for the type of stored events, and their table
  { pattern: /(?<!['"]|\b(?:from|into|table) )\bknock(?:s|ed|ing)?\b(?!['"])/g, instead: 'unregistered device' },
  { pattern: /\bwishes\b/g, instead: 'user request, command request' },
  { pattern: /\binsist(?:s|ed|ing)?\b/g, instead: 'retry' },
  { pattern: /\bkeepers?\b/g, instead: 'retention job' },
  { pattern: /\bcouriers?\b/g, instead: 'callback sender' },
  { pattern: /\bstrangers?\b/g, instead: 'unknown client, unknown device' },
  { pattern: /\bglances?\b/g, instead: 'precheck' },
  { pattern: /\bstandings?\b/g, instead: 'status' },
  { pattern: /\bpatience\b/g, instead: 'wait options' },
  { pattern: /\bhappenings?\b/g, instead: 'event, transition' },
  { pattern: /\boccurrences?\b/g, instead: 'event', paths: /^src\/(?:alerts|rules|feed|dispatch)\// },
  // but for the member of stored events
  {
    pattern: /(?<!battery |service |pack |event\.)\blife\b(?![ -]?(?:cycle|time)|:)/g,
    instead: 'state machine, lifetime',
  },
  { pattern: /\bbooks?\b/g, instead: 'unit of work, index' },
  {
    pattern: /\bverdicts?\b/g,
    instead: 'AdmissionResult, PushResult, Match',
    // the name of the result of a signature in the REST API
    paths: /^(?!(?:src|test)\/(?:.+\/)?(?:\d+-)?(?:tachograph|ddd)(?:[/.]))/,
  },
  { pattern: /\bblanks\b/g, instead: 'placeholders' },
  { pattern: /\blanes?\b/g, instead: 'per-spool queue', paths: /^(?:src\/(?:api\/(?!auth)|delivery|platform)|test)\// },
  { pattern: /(?<!\bpower |\bferry |\bferry or |\bferry\/|\bferries and )\btrains?\b/g, instead: 'pipeline' },
  {
    pattern:
      /\bturns\b(?! (?:on|off|out|back|to|around|\w+(?: \w+){0,4} into)\b)|(?<!fleetgate\.)\b(?:in|by|its|their|own) turn\b/g,
    instead: 'time slice, semaphore, leader lock, batch slot, throttle',
  },
  { pattern: /\bcustomary\b/g, instead: 'default' },
  { pattern: /(?<!commands:)\bdangerous\b(?! commands\b)/g, instead: 'privileged' },
  { pattern: /\b(?:on|off)[ -]line\b(?! \d| tracking)/g, instead: 'online, offline' },
  { pattern: /\bthe house\b/g, instead: 'code layout' },
  { pattern: /\blaws\b/g, instead: 'conformance rules', paths: /^(?:test|docs|scripts|src\/codec|protocols)\// },
  { pattern: /\bplant(?:s|ed)?\b(?! (?:id|name|code))/g, instead: 'mutation test', paths: /^(?:test|docs)\// },
  { pattern: /\blets? in\b/g, instead: 'admitted' },
  { pattern: /\bany more\b/g, instead: 'any longer' },
  { pattern: /\bmeets? (?:itself|themselves)\b/g, instead: 'self-intersecting' },
  { pattern: /\btravelled\b/g, instead: 'path' },
  { pattern: /\bdoors?\b/g, instead: 'login pages', paths: /^src\/(?:api\/auth|console|platform)\// },
  { pattern: /\bcustomers?\b/g, instead: 'caller', paths: /^src\/(?:dispatch|api\/commands|alerts)\// },
  { pattern: /\bsealed by\b/g, instead: 'wrapWith' },
  { pattern: /\bby looks?\b/g, instead: 'matchFirst, matches' },
];

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

const FOLDERS = ['src', 'protocols', 'test', 'scripts', 'docs', 'ops', '.'];
const TEXT = /\.(?:[cm]?[jt]s|mts|sql|md|html|css|json|ya?ml)$/;

/** Generated from other files, fixed by a checksum in existing databases, or the list itself and the samples of its test. */
const EXEMPT =
  /^(?:protocols\/[^/]+\/README\.md|docs\/(?:openapi\.json|(?:errors|configuration|protocols|codec|vocabulary)\.md)|src\/platform\/postgres\/schema\.sql|package-lock\.json|test\/architecture\/(?:words|architecture\.test)\.ts)$|\/migrations\/|^protocols\/.*\.json$/;

export function readTexts(): TextFile[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: folder !== '.', withFileTypes: true })
      .filter((entry) => entry.isFile() && TEXT.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')),
  )
    .filter((path) => !EXEMPT.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

const splitWords = (text: string): string =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/(?<=[A-Za-z])_(?=[A-Za-z])/g, ' ')
    .toLowerCase();

/** Every use of a banned word: file, line, word and what to write instead. */
export function bannedUses({ path, text }: TextFile): string[] {
  const applicable = bannedWords.filter(({ paths }) => paths === undefined || paths.test(path));
  const inName = splitWords(path.replace(/[-./]/g, ' '));
  const found = applicable.flatMap(({ pattern, instead }) =>
    [...inName.matchAll(pattern)].map(([word]) => `${path} is named "${word}": ${instead}`),
  );
  for (const [index, line] of splitWords(text).split('\n').entries()) {
    for (const { pattern, instead } of applicable) {
      for (const [word] of line.matchAll(pattern)) found.push(`${path}:${index + 1} has "${word}": ${instead}`);
    }
  }
  return found;
}
