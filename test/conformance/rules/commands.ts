import { CodecError, type CommandDefinition, type StreamProtocol, toHex } from '#codec';
import { wireBytes } from '../../support/fixtures.ts';
import { clockOf, type Rule, ViolationList } from './subject.ts';

export const commands: Rule = {
  name: 'every command has a fixture and encodes to its golden bytes',
  check({ protocol, fixtures }) {
    const found = new ViolationList();
    const shown = new Set<string>();
    for (const { name, fixture } of fixtures) {
      for (const { type, params, deviceId, ticket = '0', options = {}, wire } of fixture.commands ?? []) {
        shown.add(type);
        const command = Object.hasOwn(protocol.commands, type) ? protocol.commands[type] : undefined;
        if (command === undefined) {
          found.add(name, `there is no command ${type}`);
          continue;
        }
        for (const key of Object.keys(params)) {
          if (!Object.hasOwn(command.params, key)) found.add(name, `${type} does not declare ${key}`);
        }
        const context = { state: protocol.initialState(deviceId), deviceId, options, ticket, now: clockOf(fixture) };
        try {
          const got = toHex(command.encode(params, context));
          const want = toHex(wireBytes(wire));
          if (got !== want) found.add(name, `${type} encodes to ${got}, not ${want}`);
        } catch (error) {
          found.add(name, `${type} throws ${error}`);
        }
      }
    }
    for (const type of Object.keys(protocol.commands))
      if (!shown.has(type)) found.add('fixtures', `${type} has no fixture`);
    return found.violations;
  },
};

const ODD_VALUES = [
  undefined,
  '',
  'x',
  ' ',
  'ü€😀',
  '\0\r\n',
  -1,
  0,
  1.5,
  1e21,
  Number.NaN,
  99_999,
  true,
  false,
] as const;

const DEVICE = '356307042441013';

type OddValue = Readonly<Record<string, (typeof ODD_VALUES)[number]>>;

/** `encoded`, the code of a CodecError, or the unexpected result. */
function outcome(protocol: StreamProtocol<unknown>, command: CommandDefinition<unknown>, params: OddValue): string {
  const context = { state: protocol.initialState(DEVICE), deviceId: DEVICE, options: {}, ticket: '0', now: 0 };
  try {
    const bytes = command.encode(params, context);
    return bytes instanceof Uint8Array && bytes.length > 0 ? 'encoded' : 'gives no bytes';
  } catch (error) {
    return error instanceof CodecError ? 'refused' : `throws ${error}`;
  }
}

function* oddParameters(command: CommandDefinition<unknown>): Generator<OddValue> {
  const keys = Object.keys(command.params);
  for (const value of ODD_VALUES) {
    yield Object.fromEntries(keys.map((key) => [key, value]));
    for (const key of keys) yield { [key]: value };
  }
}

export const parameters: Rule = {
  name: 'commands are described, and refuse what they cannot encode',
  check({ protocol }) {
    const found = new ViolationList();
    for (const [name, command] of Object.entries(protocol.commands)) {
      if (!/^[a-z][A-Za-z0-9]*$/.test(name)) found.add(name, 'is not camelCase');
      if (command.title.trim() === '') found.add(name, 'has no title');
      for (const oddValue of oddParameters(command)) {
        const got = outcome(protocol, command, oddValue);
        if (got !== 'encoded' && got !== 'refused') found.add(name, `${got} for ${JSON.stringify(oddValue)}`);
      }
      const requires = Object.values(command.params).some((parameter) => parameter.required);
      if (requires && outcome(protocol, command, {}) === 'encoded') found.add(name, 'encodes without what it requires');
      if (/^(engineStop|outputControl)$/.test(name) && command.repeatable) {
        found.add(name, 'switches something and is said to be repeatable');
      }
    }
    if (protocol.commands['custom'] && !protocol.commands['custom'].params['data'])
      found.add('custom', 'takes no data');
    for (const pattern of protocol.privileged) {
      if (pattern.global || pattern.sticky)
        found.add(String(pattern), 'keeps its last index between uses (flags g or y)');
    }
    return found.violations;
  },
};
