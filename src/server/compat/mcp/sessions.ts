import { randomUUID } from 'node:crypto';
import { type AuthInfo, type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

type Transport = WebStandardStreamableHTTPServerTransport;

/**
 * Sessions of clients that speak a revision of the protocol before 2026-07-28: a question to the person belongs to a
 * session there. They are of this process and of the caller that has opened them; a client that meets another process is
 * answered 404 and begins again.
 */
export interface Sessions {
  handle(
    request: Request,
    options: { readonly owner: string; readonly authInfo: AuthInfo; readonly body: unknown },
  ): Promise<Response>;
  close(): Promise<void>;
}

export function createSessions(most: number, createServer: () => McpServer): Sessions {
  // the oldest one comes first
  const sessions = new Map<string, { readonly owner: string; readonly transport: Transport }>();
  const begin = async (owner: string): Promise<Transport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => {
        const [oldest] = sessions;
        if (oldest !== undefined && sessions.size >= most) {
          sessions.delete(oldest[0]);
          void oldest[1].transport.close();
        }
        sessions.set(id, { owner, transport });
      },
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await createServer().connect(transport);
    return transport;
  };
  return {
    async handle(request, { owner, authInfo, body }) {
      const id = request.headers.get('mcp-session-id');
      const known = id === null ? undefined : sessions.get(id);
      if (id !== null && known?.owner !== owner) return notFound();
      const transport = known?.transport ?? (await begin(owner));
      return transport.handleRequest(request, { authInfo, parsedBody: body });
    },
    async close() {
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
      sessions.clear();
    },
  };
}

const notFound = (): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null }, { status: 404 });
