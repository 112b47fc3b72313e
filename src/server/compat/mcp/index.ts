import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import type { Job } from '../../../platform/jobs.ts';
import { type App, principalOf, tokenOf } from '../../kernel/http/index.ts';
import { type CallOperation, createAssistantServer } from './server.ts';
import { createSessions } from './sessions.ts';
import { urlOf } from './tools.ts';

export interface AssistantDeps {
  readonly version: string;
  readonly mostSessions: number;
}

/** The Model Context Protocol at `/mcp` (streamable HTTP). Ends the streams of its clients when it stops. */
export function addAssistants(app: App, { version, mostSessions }: AssistantDeps): Job {
  const call: CallOperation = async (operation, { token, address }) => {
    const { method, body } = operation;
    const answer = await app.inject({
      method,
      url: urlOf(operation),
      remoteAddress: address,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { payload: body }),
    });
    return { status: answer.statusCode, text: answer.body };
  };
  const create = () => createAssistantServer(call, version);
  const sessions = createSessions(mostSessions, create);
  const handler = createMcpHandler(create, { legacy: 'reject' });
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const token = tokenOf(request);
    if (token === undefined) throw new AppError('unauthorized');
    const { kind, id, scopes } = principalOf(request);
    const authInfo = { token, clientId: `${kind}:${id}`, scopes: [...scopes], extra: { address: request.ip } };
    const web = toWeb(request);
    const { body } = request;
    const answer = (await isLegacyRequest(web, body))
      ? await sessions.handle(web, { owner: authInfo.clientId, authInfo, body })
      : await handler.fetch(web, { authInfo, parsedBody: body });
    return send(reply, answer);
  };
  const config = { access: [] as const, produces: '*/*' };
  const schema = { hide: true };
  app.post('/mcp', { config, schema: { ...schema, body: z.unknown() } }, serve);
  app.get('/mcp', { config, schema }, serve);
  app.delete('/mcp', { config, schema }, serve);
  return {
    async stop() {
      await Promise.all([sessions.close(), handler.close()]);
    },
  };
}

/** Aborted when the client is gone. The body was parsed before. */
function toWeb(request: FastifyRequest): Request {
  const gone = new AbortController();
  request.raw.on('close', () => {
    if (request.raw.destroyed && !request.raw.complete) gone.abort();
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value);
  const { method } = request;
  const body = method === 'POST' ? { body: JSON.stringify(request.body) } : {};
  return new Request(`http://${request.host}${request.url}`, { method, headers, signal: gone.signal, ...body });
}

function send(reply: FastifyReply, { status, headers, body }: Response): FastifyReply {
  reply
    .code(status)
    .headers(Object.fromEntries(headers))
    .serializer((value: unknown) => value as string);
  if (body === null) return reply.send();
  const stream = Readable.fromWeb(body as ReadableStream);
  reply.raw.on('close', () => stream.destroy());
  return reply.send(stream);
}
