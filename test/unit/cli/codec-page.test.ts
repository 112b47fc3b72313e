import { describe, expect, it } from 'vitest';
import * as codec from '#codec';
import * as binary from '#codec/binary';
import * as framing from '#codec/framing';
import * as http from '#codec/http';
import * as text from '#codec/text';
import { readKit, readKitExamples } from '../../../src/cli/docs/kit.ts';
import { root } from '../../architecture/sources.ts';

const modules: Readonly<Record<string, object>> = {
  '#codec': codec,
  '#codec/binary': binary,
  '#codec/framing': framing,
  '#codec/http': http,
  '#codec/text': text,
};

describe('the page of the codec kit', () => {
  const entries = readKit(root);
  const examples = readKitExamples(root);

  it('covers every entry point', () => {
    expect(entries.map(({ name }) => name).sort()).toEqual(Object.keys(modules).sort());
  });

  it.each(Object.entries(modules))(
    'lists what %s exports, each with a comment and an example that uses it',
    (name, module) => {
      const { exports } = entries.find((entry) => entry.name === name)!;
      const values = exports.filter(({ isType }) => !isType);
      expect(values.map((each) => each.name).sort()).toEqual(Object.keys(module).sort());
      expect(values.filter(({ doc }) => doc === '').map((each) => each.name)).toEqual([]);
      const code = examples.get(name)!.code;
      const shown = (of: string): boolean => {
        const example = code.get(of) ?? '';
        return new RegExp(`\\b${of}\\b`).test(example) && example.includes('expect(');
      };
      expect(Object.keys(module).filter((of) => !shown(of))).toEqual([]);
      expect([...code.keys()].filter((of) => !Object.hasOwn(module, of))).toEqual([]);
    },
  );
});
