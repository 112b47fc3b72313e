import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandWorld, openCommands } from './commands/support.ts';

type Says = { readonly action: 'accept' | 'decline'; readonly content?: { readonly confirm: boolean } };
const AGREES: Says = { action: 'accept', content: { confirm: true } };

let world: CommandWorld;
let imei: string;
const open: Client[] = [];

/** A client of the SDK with the credential; what its person answers when asked, if it can ask. */
async function connect(headers: { readonly authorization: string }, mode: 'legacy' | 'auto' = 'legacy', says?: Says) {
  const asked: string[] = [];
  const client = new Client(
    { name: 'a test', version: '1' },
    { capabilities: says === undefined ? {} : { elicitation: { form: {} } }, versionNegotiation: { mode } },
  );
  if (says !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      return { ...says } as never;
    });
  open.push(client);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${world.api.url}/mcp`), { requestInit: { headers } }),
  );
  const call = async (name: string, args: object = {}) => {
    const result = await client.callTool({ name, arguments: { ...args } });
    return { isError: result.isError === true, text: (result.content as { text: string }[])[0]!.text };
  };
  return { client, asked, call };
}

beforeAll(async () => {
  world = await openCommands();
  imei = await world.device({ protocol: 'teltonika' });
  await world.api.send('POST', '/v1/vehicles', { targa: 'MCP001', make: 'Fiat' });
  await world.api.send('POST', '/v1/pairings', { targa: 'MCP001', imei });
});
afterAll(async () => {
  for (const client of open) await client.close();
  await world?.stop();
});

describe.each(['legacy', 'auto'] as const)('an assistant that negotiates as %s', (mode) => {
  test('finds the tools and answers with the rights of its caller', async () => {
    const { client, call } = await connect(await world.key(['vehicles:read', 'commands:read']), mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['find_vehicles', 'trips', 'pending_commands', 'send_command', 'driving_times']),
    );
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name)).toEqual([
      'send_command',
    ]);
    const found = JSON.parse((await call('find_vehicles', { q: 'fiat' })).text);
    expect(found.items).toMatchObject([{ targa: 'MCP001', imei }]);
    expect(await call('device_state', { imei })).toMatchObject({
      isError: true,
      text: expect.stringContaining('missing-scope'),
    });
  });

  test('sends a command only where the person has agreed', async () => {
    const key = await world.key(['commands:read', 'commands:write']);
    const refusing = await connect(key, mode, { action: 'decline' });
    const before = await world.commands();
    expect((await refusing.call('send_command', { imei, text: 'getver' })).isError).toBe(true);
    expect(refusing.asked).toEqual([`Send "getver" to device ${imei}?`]);
    const unsure = await connect(key, mode, { action: 'accept', content: { confirm: false } });
    expect((await unsure.call('send_command', { imei, text: 'getver' })).isError).toBe(true);
    expect(await world.commands()).toBe(before);

    const agreeing = await connect(key, mode, AGREES);
    const sent = await agreeing.call('send_command', { imei, text: 'getver' });
    expect(sent.isError, sent.text).toBe(false);
    expect(await world.commands()).toBe(before + 1);
    const pending = JSON.parse((await agreeing.call('pending_commands', { imei })).text);
    expect(JSON.stringify(pending)).toContain('device-offline');
    // agreement is no scope
    const cut = await agreeing.call('send_command', { imei, type: 'engineStop', maxSpeed: 5 });
    expect(cut).toMatchObject({ isError: true, text: expect.stringContaining('commands:privileged') });
    const reader = await connect(await world.key(['commands:read']), mode, AGREES);
    expect((await reader.call('send_command', { imei, text: 'getver' })).isError).toBe(true);
    expect(await world.commands()).toBe(before + 1);
  });

  test('that cannot ask its person sends nothing', async () => {
    const { call } = await connect(await world.key(['commands:read', 'commands:write']), mode);
    const before = await world.commands();
    const outcome = await call('send_command', { imei, text: 'getver' }).catch((error: Error) => ({
      isError: true,
      error,
    }));
    expect(outcome.isError).toBe(true);
    expect(await world.commands()).toBe(before);
  });
});

test('without a credential there is nothing, and a session is of its caller', async () => {
  await expect(connect({ authorization: 'Bearer nothing' })).rejects.toThrow();
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  };
  const post = async (headers: Record<string, string>, body: object) =>
    fetch(`${world.api.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify(body),
    });
  expect((await post({}, initialize)).status).toBe(401);
  const first = await post(await world.key(['vehicles:read']), initialize);
  expect(first.status).toBe(200);
  const session = first.headers.get('mcp-session-id')!;
  await first.text();
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
  const other = await post({ ...(await world.key(['vehicles:read'])), 'mcp-session-id': session }, list);
  expect(other.status).toBe(404);
});
