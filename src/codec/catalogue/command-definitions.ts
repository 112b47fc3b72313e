import type { Catalogue } from './index.ts';

interface ParameterView {
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean';
  readonly title: string;
  readonly required: boolean;
}

/** A command of a protocol, as a form for it needs it. */
export interface CommandDefinitionView {
  readonly type: string;
  readonly title: string;
  readonly parameters: readonly ParameterView[];
  readonly repeatable: boolean;
  readonly endsSession: boolean;
}

/** Commands of a codec or a service, in the order of its table; of several codecs the first one that has a command. */
export function definitionsOf(catalogue: Catalogue, protocol: string): CommandDefinitionView[] {
  const found = new Map<string, CommandDefinitionView>();
  for (const { commands } of catalogue.named(protocol)) {
    for (const [type, { title, params, repeatable, endsSession = false }] of Object.entries(commands)) {
      if (found.has(type)) continue;
      const parameters = Object.entries(params).map(([name, parameter]) => ({
        name,
        type: parameter.type,
        title: parameter.title,
        required: parameter.required === true,
      }));
      found.set(type, { type, title, parameters, repeatable, endsSession });
    }
  }
  return [...found.values()];
}
