import { type EntryPoint, type KitExamples, type KitExport, readKit, readKitExamples } from './kit.ts';
import { code, page, section, table } from './markdown.ts';

const INTRODUCTION =
  'Protocols in `protocols/` are written with the codec kit. It has six entry points, and a protocol imports nothing else. ' +
  'Every example is a test in `test/unit/codec/examples`: `expect` shows the result. [CONTRIBUTING.md](../CONTRIBUTING.md) ' +
  'describes how to add a protocol.';

/** `docs/codec.md`: what each entry point of the kit exports, with an example of each function and constant. */
export function codecPage(root: string): string {
  const examples = readKitExamples(root);
  const entries = readKit(root);
  return page(
    'Codec kit',
    '`src/codec` and `test/unit/codec/examples`',
    INTRODUCTION,
    table(
      ['entry point', 'functions and constants', 'types'],
      entries.map(({ name, exports }) => [
        `[${code(name)}](#${name.replace(/[#/]/g, '')})`,
        String(exports.filter(({ isType }) => !isType).length),
        String(exports.filter(({ isType }) => isType).length),
      ]),
    ),
    ...entries.map((entry) => entrySection(entry, examples.get(entry.name))),
  );
}

function entrySection({ name, doc, exports }: EntryPoint, examples: KitExamples | undefined): string {
  const files = [...new Set(exports.map(({ file }) => file))];
  return section(
    code(name),
    doc,
    examples === undefined ? '' : fence(examples.shared.join('\n\n')),
    ...files.map((file) =>
      fileSection(
        file,
        exports.filter((each) => each.file === file),
        examples,
      ),
    ),
  );
}

function fileSection(file: string, exports: readonly KitExport[], examples: KitExamples | undefined): string {
  const values = exports.filter(({ isType }) => !isType);
  const types = exports.filter(({ isType }) => isType);
  return [
    `### ${code(`src/codec/${file}`)}`,
    ...values.flatMap(({ name, doc }) => [`#### ${code(name)}`, doc, fence(examples?.code.get(name) ?? '')]),
    table(
      ['type', 'meaning'],
      types.map(({ name, doc }) => [code(name), doc]),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const fence = (text: string): string => (text === '' ? '' : ['```ts', text, '```'].join('\n'));
