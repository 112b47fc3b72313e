import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSource } from '../architecture/sources.ts';
import { type Figure, median } from './figure.ts';

const PROTOCOLS = join(import.meta.dirname, '..', '..', '..', 'protocols');
const RUNS = 5;

/** The protocols of one round of work, by what their messages are made of, and the lines that each should need. */
const FAMILIES = {
  text: {
    ids: 'xexun xexun2 t55 tk102 megastek taip laipac haicom jt600 intellitrac skypatrol sanav globalsat gl100 gps056 enfora arknav carscop v680 wondex topin trv minifinder',
    target: 120,
  },
  binary: { ids: 'autofon astra bce tramigo gator ulbotech huasheng gt02 m2m satsol tek naviset radar', target: 180 },
  http: { ids: 'owntracks flespi orbcomm globalstar spot sigfox retranslator its ais iotm', target: 120 },
} as const;

interface Lines {
  readonly id: string;
  readonly all: number;
  /** without files of constants, and without `tables.ts` and `tables/` */
  readonly logic: number;
}

const COMMENT = /^(?:\/\/|\/\*|\*)/;
const codeLines = (text: string): number =>
  text.split('\n').filter((line) => line.trim() !== '' && !COMMENT.test(line.trim())).length;

function linesOf(id: string): Lines | undefined {
  let all = 0;
  let logic = 0;
  try {
    for (const name of readdirSync(join(PROTOCOLS, id), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue;
      const text = readFileSync(join(PROTOCOLS, id, name), 'utf8');
      const lines = codeLines(text);
      all += lines;
      const isTable = /^tables[./\\]/.test(name) || parseSource(name, text).isTable;
      if (!isTable) logic += lines;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return { id, all, logic };
}

function familyFigures(): Figure[] {
  return Object.entries(FAMILIES).map(([family, { ids, target }]) => {
    const names = ids.split(' ');
    const lines = names.map(linesOf).filter((each) => each !== undefined);
    const largest = lines.reduce((most, each) => (each.logic > most.logic ? each : most));
    const [logic, all] = [median(lines.map((each) => each.logic)), median(lines.map((each) => each.all))];
    const over = lines.filter((each) => each.logic > target).map((each) => `${each.id} ${each.logic}`);
    const beyond = over.length === 0 ? '' : `; over ${target}: ${over.join(', ')}`;
    return {
      name: `lines of ${lines.length} of ${names.length} protocols, ${family}`,
      value: `median ${logic} without tables (${all} with them), largest ${largest.id} ${largest.logic}${beyond}`,
      measurements: [
        { key: `${family}Median`, value: logic, unit: 'lines' },
        { key: `${family}Largest`, value: largest.logic, unit: 'lines' },
      ],
    };
  });
}

interface Loaded {
  readonly ms: number;
  readonly heap: number;
  readonly rss: number;
  readonly protocols: number;
}

async function load(kind: 'empty' | 'kit' | 'catalogue'): Promise<Loaded> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'catalogue-child.js'), [kind], {
    execArgv: ['--expose-gc'],
  });
  const [loaded] = (await once(child, 'message')) as [Loaded];
  child.kill();
  return loaded;
}

const middle = (list: readonly Loaded[], key: 'ms' | 'heap' | 'rss'): number => median(list.map((each) => each[key]));
const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Lines of code by family; time and memory of loading every protocol, beside an empty process and the kit alone. */
export async function run(): Promise<Figure[]> {
  const [empty, kit, catalogue]: [Loaded[], Loaded[], Loaded[]] = [[], [], []];
  for (let round = 0; round < RUNS; round++) {
    empty.push(await load('empty'));
    kit.push(await load('kit'));
    catalogue.push(await load('catalogue'));
  }
  const count = catalogue[0]!.protocols;
  const [ms, reference] = [middle(catalogue, 'ms'), middle(empty, 'ms')];
  const [heap, bare] = [middle(catalogue, 'heap'), middle(empty, 'heap')];
  return [
    ...familyFigures(),
    {
      name: `process that has loaded the catalogue of ${count} protocols`,
      value: `${ms.toFixed(0)} ms (kit alone ${middle(kit, 'ms').toFixed(0)} ms, empty process ${reference.toFixed(0)} ms)`,
      measurements: [
        { key: 'start', value: ms - reference, unit: 'ms' },
        { key: 'startOfEmpty', value: ms / reference, unit: 'times' },
      ],
    },
    {
      name: 'its heap after a collection',
      value: `${mb(heap)} (kit alone ${mb(middle(kit, 'heap'))}, empty process ${mb(bare)}; ${((heap - bare) / count / 1e3).toFixed(0)} kB a protocol)`,
      measurements: [{ key: 'heap', value: heap - bare, unit: 'bytes' }],
    },
    {
      name: 'its resident memory',
      value: `${mb(middle(catalogue, 'rss'))} (kit alone ${mb(middle(kit, 'rss'))}, empty process ${mb(middle(empty, 'rss'))})`,
    },
  ];
}
