import { inputRequired, inputResponse, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type Call, TOOLS, type Tool } from './tools.ts';

export interface Answer {
  readonly status: number;
  /** JSON */
  readonly text: string;
}

/** Who asks: the credential, and the address that limits and the audit trail name. */
export interface Caller {
  readonly token: string;
  readonly address: string;
}

/** Calls an operation of this API as the caller; rights, limits and audit trail are those of the same request. */
export type CallOperation = (call: Call, caller: Caller) => Promise<Answer>;

const consent = z.object({ confirm: z.boolean().describe('send it') });

/** A server of the Model Context Protocol with the tools of a fleet. */
export function createAssistantServer(call: CallOperation, version: string): McpServer {
  const server = new McpServer(
    { name: 'fleetgate', title: 'Fleetgate', version },
    {
      instructions:
        'Vehicles have plates (targa); the device in a vehicle has an imei, which find_vehicles shows. Times are RFC 3339 in ' +
        'UTC, speeds km/h, distances m unless the name says km. Answers are those of the REST API.',
    },
  );
  for (const [name, tool] of Object.entries(TOOLS)) register(server, name, tool, call);
  return server;
}

function register(server: McpServer, name: string, tool: Tool, call: CallOperation): void {
  const { title, description, input, confirm } = tool;
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: input,
      annotations: {
        readOnlyHint: confirm === undefined,
        destructiveHint: confirm !== undefined,
        openWorldHint: false,
      },
    },
    async (given: Readonly<Record<string, unknown>>, context: ServerContext) => {
      if (confirm !== undefined) {
        const answer = inputResponse(context.mcpReq.inputResponses, 'confirm');
        if (answer.kind !== 'elicit') return askFirst(confirm(given));
        if (answer.action !== 'accept' || answer.content?.['confirm'] !== true)
          return refused('The person has not agreed.');
      }
      const { authInfo } = context.http ?? {};
      if (authInfo === undefined) return refused('The request has no credential.');
      const { token, extra } = authInfo;
      const { status, text } = await call(tool.call(given), { token, address: String(extra?.['address']) });
      if (status >= 300) return refused(text);
      return { content: [{ type: 'text' as const, text }] };
    },
  );
}

const askFirst = (message: string) =>
  inputRequired({ inputRequests: { confirm: inputRequired.elicit({ message, requestedSchema: consent }) } });

const refused = (text: string) => ({ isError: true, content: [{ type: 'text' as const, text }] });
