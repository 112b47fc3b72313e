import { join } from 'node:path';
import { codecErrors, type Protocol } from '#codec';
import { describeSettings } from '../../platform/config.ts';
import { errorTable } from '../../platform/errors.ts';
import { alarmNames, numberedVocabulary, vocabulary } from '../../telemetry/index.ts';
import { readExamples } from './examples.ts';
import { code, list, page, section, table } from './markdown.ts';
import { protocolPage } from './protocol-page.ts';

/** Every generated page: path from the root of the checkout → text. */
export function generatedPages(root: string, protocols: readonly Protocol[]): Map<string, string> {
  const pages = new Map([
    ['docs/protocols.md', protocolsPage(protocols)],
    ['docs/configuration.md', configurationPage()],
    ['docs/errors.md', errorsPage()],
    ['docs/vocabulary.md', vocabularyPage()],
  ]);
  for (const protocol of protocols) {
    const folder = `protocols/${protocol.id}`;
    pages.set(`${folder}/README.md`, protocolPage(protocol, readExamples(join(root, folder))));
  }
  return pages;
}

const protocolsPage = (protocols: readonly Protocol[]): string =>
  page(
    'Protocols',
    'the facts in `protocols/`',
    'All of them are served on the port that tells protocols by their first bytes (`AUTO_PORT`), where the last but one column says yes, and each on the port of its service.',
    table(
      ['protocol', 'vendor', 'service', 'port', 'transports', 'by first bytes', 'commands'],
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
    'Settings come from the environment. All that is wrong with them is printed at once, and nothing starts. Each secret can also be read from a file: `NAME_FILE` names it.',
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
          'opens the port of that service, e.g. `PORT_TELTONIKA=5027`; a busy one ends the start',
        ],
      ],
    ),
  );

const errorsPage = (): string =>
  page(
    'Errors',
    '`src/platform/errors.ts` and `src/codec/errors.ts`',
    section(
      'Of the REST API',
      'Errors are problem documents (RFC 9457). `code` is stable; `detail` is for people and may change.',
      table(
        ['code', 'status', 'title'],
        Object.entries(errorTable).map(([name, { status, title }]) => [code(name), String(status), title]),
      ),
    ),
    section(
      'Of device bytes',
      'Logs, metrics and raw frames name what was wrong with the bytes of a device, or with a command for it.',
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
    'Keys that are not listed are the device’s own, with a string, a number or a boolean: camelCase, or as the device or its user names them in protocols that let them.',
    table(
      ['key', 'type', 'unit and meaning'],
      [
        ...Object.entries(vocabulary).map(([key, { type, meaning }]) => [code(key), type, meaning]),
        ...Object.entries(numberedVocabulary).map(([key, { type, meaning }]) => [`\`${key}1\`…`, type, meaning]),
      ],
    ),
    section('Alarms', list([...alarmNames].map(code))),
  );
