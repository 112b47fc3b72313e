import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVERY_MESSAGE, type Protocol, type StreamProtocol } from '#codec';
import { checkCommand } from '../../../src/codec/catalogue/commands.ts';
import { createCatalogue } from '../../../src/codec/catalogue/index.ts';
import { clockOf, type Rule, type Subject, ViolationList } from './subject.ts';

/** What a command of a vendor's document does; all but the last two need the scope `commands:privileged`. */
const PRIVILEGED_EFFECTS = [
  'restart',
  'power-off',
  'factory-reset',
  'server',
  'apn',
  'outputs',
  'immobilizer',
  'firmware',
  'delete-data',
  'listen-in',
  'credentials',
] as const;
const HARMLESS_EFFECTS = ['setting', 'query'] as const;

type Effect = (typeof PRIVILEGED_EFFECTS)[number] | (typeof HARMLESS_EFFECTS)[number];

/** `protocols/<id>/effects.json`: the documented commands, beside their definitions; `{id}` stands for the device. */
interface Effects {
  readonly source: string;
  /** by type of command; `custom` is judged by its text */
  readonly types: Readonly<Record<string, Effect>>;
  readonly texts: readonly { readonly text: string; readonly effect: Effect }[];
}

const PROTOCOLS = join(import.meta.dirname, '..', '..', '..', 'protocols');
const DEVICE = '356307042441013';

const isPrivilegedEffect = (effect: Effect): boolean => (PRIVILEGED_EFFECTS as readonly Effect[]).includes(effect);
const isKnown = (effect: string): boolean =>
  [...PRIVILEGED_EFFECTS, ...HARMLESS_EFFECTS].some((known) => known === effect);

/** The documented commands of a protocol; undefined where it has none, or every message needs the scope anyhow. */
export function effectsOf({ id, privileged, commands }: StreamProtocol<unknown>): Effects | undefined {
  const file = join(PROTOCOLS, id, 'effects.json');
  if (privileged === EVERY_MESSAGE || Object.keys(commands).length === 0 || !existsSync(join(PROTOCOLS, id)))
    return undefined;
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Effects) : NOTHING;
}

/** Without the file no command is classified. */
const NOTHING: Effects = { source: '', types: {}, texts: [] };

export const effects: Rule = {
  name: 'every documented command is classified, and privileged where it can harm',
  check(subject) {
    const found = new ViolationList();
    const typed = Object.keys(subject.protocol.commands).filter((type) => type !== 'custom');
    const documented = effectsOf(subject.protocol);
    if (documented === undefined) return found.violations;
    const { source, types, texts } = documented;
    if (source.trim() === '') found.add('effects.json', 'names no source');
    for (const effect of [...Object.values(types), ...texts.map((entry) => entry.effect)])
      if (!isKnown(effect)) found.add('effects.json', `knows no effect ${effect}`);
    for (const type of typed) if (types[type] === undefined) found.add('effects.json', `does not classify ${type}`);
    for (const type of Object.keys(types))
      if (!typed.includes(type)) found.add('effects.json', `classifies ${type}, which is no command`);

    const isPrivileged = judgeOf(subject);
    for (const { text, effect } of texts) {
      const data = text.replaceAll('{id}', DEVICE);
      compare(found, text, effect, isPrivileged('custom', { data }));
    }
    for (const { type, params, options, now } of examplesOf(subject)) {
      const effect = types[type];
      // what a setting names is judged by its text, as that of `custom`; of one that a protocol has by an output, by that
      if (effect !== undefined && effect !== 'setting')
        compare(found, type, effect, isPrivileged(type, params, options, now));
    }
    return found.violations;
  },
};

function compare(found: ViolationList, what: string, effect: Effect, isPrivileged: boolean): void {
  if (isPrivileged !== isPrivilegedEffect(effect))
    found.add(what, isPrivileged ? `is privileged, though it is a ${effect}` : `is not privileged, though: ${effect}`);
}

type Params = Parameters<typeof checkCommand>[2]['params'];

function judgeOf({ protocol }: Subject) {
  const catalogue = createCatalogue([protocol as unknown as Protocol]);
  return (type: string, params: Params, options: Params = {}, now = Date.parse('2024-06-01T12:00:00Z')): boolean =>
    checkCommand(catalogue, protocol.id, { type, params, deviceId: DEVICE, options, isRaw: false }, now).isPrivileged;
}

const examplesOf = ({ fixtures }: Subject) =>
  fixtures.flatMap(({ fixture }) =>
    (fixture.commands ?? [])
      .filter(({ type }) => type !== 'custom')
      .map(({ type, params, options = {} }) => ({
        type,
        params: params as Params,
        options: options as Params,
        now: clockOf(fixture),
      })),
  );
