import { join } from 'node:path';
import { codecErrors, type Protocol } from '#codec';
import { describeSettings } from '../../apps/config.ts';
import { alarmNames, numberedVocabulary, vocabulary } from '../../contract/telemetry/index.ts';
import { errorTable } from '../../platform/errors.ts';
import { codecPage } from './codec-page.ts';
import { type Examples, readExamples } from './examples.ts';
import { code, list, page, section, table } from './markdown.ts';
import { protocolPage } from './protocol-page.ts';

/** Every generated page: path from the root of the checkout to text. */
export function generatedPages(root: string, protocols: readonly Protocol[]): Map<string, string> {
  const examples = new Map(protocols.map(({ id }) => [id, readExamples(root, join(root, 'protocols', id))] as const));
  const pages = new Map([
    ['docs/protocols.md', protocolsPage(protocols, examples)],
    ['docs/configuration.md', configurationPage()],
    ['docs/errors.md', errorsPage()],
    ['docs/vocabulary.md', vocabularyPage()],
    ['docs/codec.md', codecPage(root)],
  ]);
  for (const protocol of protocols) {
    pages.set(`protocols/${protocol.id}/README.md`, protocolPage(protocol, examples.get(protocol.id)!));
  }
  return pages;
}

const linkTo = ({ id, title }: Protocol): string => `[${title}](../protocols/${id}/README.md)`;

/** Messages are counted where `coverage.json` lists those of the documents. */
function coverageRow(protocol: Protocol, { coverage, attributes }: Examples): string[] {
  const { sources, messages, frames, commands, deviations, projects } = coverage;
  const shown = Object.values(messages);
  const names = [...new Set(projects.map(({ name }) => name))];
  return [
    linkTo(protocol),
    shown.length === 0 ? 'not listed' : String(shown.length),
    shown.length === 0 ? '' : String(shown.filter((fixture) => fixture !== null).length),
    `${frames} / ${attributes.size} / ${commands}`,
    String(sources.length),
    names.join(', '),
    String(deviations),
  ];
}

const protocolsPage = (protocols: readonly Protocol[], examples: ReadonlyMap<string, Examples>): string =>
  page(
    'Protocols',
    'the facts in `protocols/`',
    'Each protocol is served on the default port of its service. Protocols with "yes" under "auto port" are also identified by their first bytes on `AUTO_PORT`.',
    table(
      ['protocol', 'vendor', 'service', 'port', 'transports', 'auto port', 'commands'],
      protocols.map((protocol) => [
        linkTo(protocol),
        protocol.vendor,
        code(protocol.service),
        String(protocol.port),
        protocol.carrier === 'http' ? 'HTTP' : protocol.transports.join(', ').toUpperCase(),
        protocol.identify === undefined ? 'no' : 'yes',
        String(Object.keys(protocol.commands).length),
      ]),
    ),
    section(
      'Coverage',
      'Message types of the documents that a protocol was written from, how many of them are decoded and tested, what the fixtures hold, how many sources they name, projects of other people that agree (`npm run interop`), and fields in which a protocol differs from recordings, each with its reason. The page of the protocol lists all of them.',
      table(
        [
          'protocol',
          'messages documented',
          'decoded and tested',
          'frames / attributes / commands',
          'sources',
          'other projects',
          'differences',
        ],
        protocols.map((protocol) => coverageRow(protocol, examples.get(protocol.id)!)),
      ),
    ),
  );

const configurationPage = (): string =>
  page(
    'Configuration',
    '`src/apps/config.ts`',
    'Settings are environment variables, or lines of a YAML file that `CONFIG_FILE` names (`port: 8080`, `protocols: [teltonika, gt06]`; names in upper or lower case). Variables take precedence over the file. If any setting is invalid or misspelt, all problems are printed and the server does not start; `fleetgate config check [file]` does the same without a start, and `fleetgate config print` shows what is set, without secrets. Each secret can also be read from a file whose path is in `NAME_FILE`.',
    table(
      ['setting', 'default', 'meaning'],
      [
        ...describeSettings().map(({ name, fallback, meaning, secret }) => [
          code(name),
          code(fallback),
          secret ? `${meaning} (secret: also as \`${name}_FILE\`)` : meaning,
        ]),
        [
          '`PORT_<SERVICE>`',
          '',
          'port of that service, e.g. `PORT_TELTONIKA=5027`; the server does not start if the port is in use',
        ],
      ],
    ),
  );

const errorsPage = (): string =>
  page(
    'Errors',
    '`src/platform/errors.ts` and `src/codec/errors.ts`',
    section(
      'REST API',
      'Errors are problem documents (RFC 9457). `code` is stable; `title` and `detail` are meant for people and may change.',
      table(
        ['code', 'status', 'title'],
        Object.entries(errorTable).map(([name, { status, title }]) => [code(name), String(status), title]),
      ),
    ),
    section(
      'Device bytes',
      'These codes occur in logs, metrics and raw frames of messages that could not be decoded, and in the results of commands that could not be encoded.',
      table(
        ['code', 'meaning'],
        Object.entries(codecErrors).map(([name, meaning]) => [code(name), meaning]),
      ),
    ),
  );

const vocabularyPage = (): string =>
  page(
    'Attributes of positions',
    '`src/contract/telemetry/vocabulary.ts`',
    'Keys that are not listed are specific to a device; their value is a string, a number or a boolean. They are written in camelCase, except in protocols whose devices or users choose the names.',
    table(
      ['key', 'type', 'unit and meaning'],
      [
        ...Object.entries(vocabulary).map(([key, { type, meaning }]) => [code(key), type, meaning]),
        ...Object.entries(numberedVocabulary).map(([key, { type, meaning }]) => [`\`${key}1\`…`, type, meaning]),
      ],
    ),
    section('Alarms', list([...alarmNames].map(code))),
  );
