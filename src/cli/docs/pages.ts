import { join } from 'node:path';
import { codecErrors, type Protocol } from '#codec';
import { describeSettings } from '../../platform/config.ts';
import { errorTable } from '../../platform/errors.ts';
import { alarmNames, numberedVocabulary, vocabulary } from '../../telemetry/index.ts';
import { codecPage } from './codec-page.ts';
import { readExamples } from './examples.ts';
import { code, list, page, section, table } from './markdown.ts';
import { protocolPage } from './protocol-page.ts';

/** Every generated page: path from the root of the checkout to text. */
export function generatedPages(root: string, protocols: readonly Protocol[]): Map<string, string> {
  const pages = new Map([
    ['docs/protocols.md', protocolsPage(protocols)],
    ['docs/configuration.md', configurationPage()],
    ['docs/errors.md', errorsPage()],
    ['docs/vocabulary.md', vocabularyPage()],
    ['docs/codec.md', codecPage(root)],
  ]);
  for (const protocol of protocols) {
    const folder = `protocols/${protocol.id}`;
    pages.set(`${folder}/README.md`, protocolPage(protocol, readExamples(root, join(root, folder))));
  }
  return pages;
}

const protocolsPage = (protocols: readonly Protocol[]): string =>
  page(
    'Protocols',
    'the facts in `protocols/`',
    'Each protocol is served on the default port of its service. Protocols with "yes" under "auto port" are also identified by their first bytes on `AUTO_PORT`.',
    table(
      ['protocol', 'vendor', 'service', 'port', 'transports', 'auto port', 'commands'],
      protocols.map((protocol) => [
        `[${protocol.title}](../protocols/${protocol.id}/README.md)`,
        protocol.vendor,
        code(protocol.service),
        String(protocol.port),
        protocol.carrier === 'http' ? 'HTTP' : protocol.transports.join(', ').toUpperCase(),
        protocol.identify === undefined ? 'no' : 'yes',
        String(Object.keys(protocol.commands).length),
      ]),
    ),
  );

const configurationPage = (): string =>
  page(
    'Configuration',
    '`src/platform/config.ts`',
    'Settings are environment variables. If any of them is invalid, all problems are printed and the server does not start. Each secret can also be read from a file whose path is in `NAME_FILE`.',
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
    '`src/telemetry/vocabulary.ts`',
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
