import type { Protocol } from '#codec';

const NAME = /^[a-z][a-z0-9]{1,31}$/;
const ID = /^[a-z][a-z0-9_]{1,31}$/;

/** What is wrong with a protocol's facts: one line each, none when it is in order. */
export function checkProtocol(folder: string, protocol: Protocol | undefined): string[] {
  if (protocol === undefined) return [`${folder}: index has no default export`];
  const problems: string[] = [];
  const claim = (holds: boolean, text: string) => {
    if (!holds) problems.push(`${folder}: ${text}`);
  };
  claim(protocol.id === folder, `id is "${protocol.id}", not the folder's name`);
  claim(ID.test(protocol.id), 'an id is 2 to 32 of a-z, 0-9 and _');
  claim(NAME.test(protocol.service), 'a service is 2 to 32 of a-z and 0-9');
  claim(Number.isInteger(protocol.port) && protocol.port > 0 && protocol.port < 65_536, 'invalid port');
  claim(protocol.setup.length > 0, 'setup is empty');
  if (protocol.carrier === 'bytes') {
    claim(protocol.maxFrameBytes >= 16 && protocol.maxFrameBytes <= 1_048_576, 'maxFrameBytes is not 16 B to 1 MiB');
    claim((protocol.integrity === 'checksum') === (protocol.verify !== undefined), 'integrity and verify disagree');
    claim(protocol.transports.length > 0, 'no transport');
  }
  for (const [name, option] of Object.entries(protocol.options)) {
    claim(/^[a-z][A-Za-z0-9]*$/.test(name), `option ${name} is not camelCase`);
    claim(
      option.default === undefined || typeof option.default === option.type,
      `option ${name}: default is no ${option.type}`,
    );
  }
  return problems;
}
