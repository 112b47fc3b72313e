import type { Protocol } from '#codec';
import { numberedVocabulary, termOf } from '../../contract/telemetry/index.ts';
import type { Examples } from './examples.ts';
import { code, list, page, section, table } from './markdown.ts';

/** `protocols/<id>/README.md`: what the folder holds, for an installer and for someone who writes against the API. */
export function protocolPage(protocol: Protocol, examples: Examples): string {
  const { title, vendor, models, setup, notCovered = [] } = protocol;
  return page(
    title,
    'the protocol’s facts and examples',
    `${vendor}${models.length > 0 ? `: ${models.join(', ')}` : ''}.`,
    table(['', ''], factRows(protocol)),
    section(
      'Pointing a device at this server',
      setup.length === 0 ? '' : ['```text', ...setup, '```'].join('\n'),
      '`{host}` is the address of the gateway, `{port}` the port of the service or the one that serves every protocol.',
    ),
    section('Per-device options', optionTable(protocol)),
    section('What it reports', messageList(examples), attributeTable(examples)),
    section('Commands', commandTable(protocol), privilegedCommands(protocol)),
    section('Coverage', coverageTable(examples), messageTable(examples), projectTable(examples)),
    section('Differences', list(examples.deviations)),
    section('Not covered', list(notCovered)),
    section('Examples', table(['file', 'what it shows', 'source'], examples.scenarios)),
  );
}

const ANSWERS = {
  ticket: 'carry the number of their command',
  'in-order': 'come in the order of the commands',
  none: 'are not sent',
} as const;

function factRows(protocol: Protocol): string[][] {
  const common = [
    ['name', code(protocol.id)],
    ['service and default port', `${code(protocol.service)}, ${protocol.port}`],
  ];
  const answers = ['answers to commands', ANSWERS[protocol.correlation]];
  if (protocol.carrier === 'http') return [...common, ['transport', 'HTTP'], answers];
  return [
    ...common,
    ['transports', protocol.transports.join(', ').toUpperCase()],
    ['largest frame', `${protocol.maxFrameBytes} bytes`],
    ['a changed byte', protocol.integrity === 'checksum' ? 'is refused by the checksum' : 'cannot be noticed'],
    ['after a lost byte', protocol.resync === 'marker' ? 'the next frame is found again' : 'the connection is closed'],
    ['known by its first bytes', protocol.identify === undefined ? 'no: use the port of its own' : 'yes'],
    answers,
  ];
}

const optionTable = ({ options }: Protocol): string =>
  table(
    ['option', 'type', 'default', 'meaning'],
    Object.entries(options).map(([name, option]) => [
      code(name),
      option.type,
      option.default === undefined ? '' : code(String(option.default)),
      option.title,
    ]),
  );

const KINDS: Readonly<Record<string, string>> = {
  login: 'who the device is',
  position: 'positions, and records without a fix of their own',
  heartbeat: 'heartbeats',
  answer: 'answers to commands',
  file: 'pieces of pictures, video or sound',
};

const messageList = ({ kinds }: Examples): string => list([...kinds].sort().map((kind) => `${kind}: ${KINDS[kind]}`));

function attributeTable({ attributes }: Examples): string {
  const rows = [...attributes]
    .sort(([a], [b]) => order(a, b))
    .map(([key, types]) => {
      const term = termOf(key);
      return [code(key), [...types].sort().join(' or '), term?.meaning ?? 'the device’s own'];
    });
  return rows.length === 0 ? '' : `Attributes in the examples:\n\n${table(['key', 'type', 'unit and meaning'], rows)}`;
}

/** Numbered keys by their number. */
function order(a: string, b: string): number {
  const [, nameA, numberA] = /^(.*?)(\d*)$/.exec(a)!;
  const [, nameB, numberB] = /^(.*?)(\d*)$/.exec(b)!;
  if (nameA === nameB && Object.hasOwn(numberedVocabulary, nameA!)) return Number(numberA) - Number(numberB);
  return a < b ? -1 : 1;
}

/** Figures of the documents are known where `coverage.json` lists their messages. */
function coverageTable({ coverage, attributes }: Examples): string {
  const { sources, messages, frames, commands, deviations, projects } = coverage;
  const shown = Object.values(messages);
  const decoded = shown.filter((fixture) => fixture !== null).length;
  return table(
    ['', ''],
    [
      ['documents', sources.length === 0 ? 'not listed' : sources.join('; ')],
      [
        'messages of the documents',
        shown.length === 0 ? 'not listed' : `${shown.length}, ${decoded} of them decoded and tested`,
      ],
      ['tested', `${frames} frames, ${attributes.size} attributes, ${commands} commands`],
      ['projects of others', projects.length === 0 ? 'none' : String(projects.length)],
      ['fields that differ from recordings', String(deviations)],
    ],
  );
}

const messageTable = ({ coverage: { messages } }: Examples): string =>
  Object.keys(messages).length === 0
    ? ''
    : table(
        ['message', 'decoded, and tested by'],
        Object.entries(messages).map(([message, fixture]) => [message, fixture ?? 'no']),
      );

const projectTable = ({ coverage: { projects } }: Examples): string =>
  projects.length === 0
    ? ''
    : table(
        ['project', 'registry', 'as', 'where it differs'],
        projects.map(({ name, version, registry, plays, wrong }) => [
          `${name} ${version}`,
          registry,
          plays,
          wrong.join('; '),
        ]),
      );

const commandTable = ({ commands }: Protocol): string =>
  table(
    ['command', 'what it does', 'parameters', 'sent again when no answer came'],
    Object.entries(commands)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { title, params, repeatable }]) => [
        code(name),
        title,
        Object.entries(params)
          .map(
            ([key, { type, required, title: meaning }]) =>
              `${code(key)} (${type}${required ? '' : ', optional'}): ${meaning}`,
          )
          .join('; '),
        repeatable ? 'yes' : 'no',
      ]),
  );

const privilegedCommands = ({ privileged: patterns }: Protocol): string =>
  patterns.length === 0
    ? ''
    : `Text that matches one of these is sent at most once:\n\n${list(patterns.map((pattern) => code(String(pattern))))}`;
