import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/errors.ts';
import type { App } from '../../kernel/http/index.ts';
import { parseInstant } from '../../kernel/http/index.ts';
import { createFleet, type Fleet } from './device.ts';
import type { Ids } from './ids/service.ts';
import { type Operations, operationsOf } from './operations.ts';
import type { Caller } from './sign-in/service.ts';

declare module 'fastify' {
  interface FastifyRequest {
    traccarCaller: Caller | undefined;
  }
}

/** Context of a request: operations on behalf of the caller, and numbers of records. */
export interface Context {
  readonly caller: Caller;
  readonly tenantId: number;
  readonly operations: Operations;
  readonly fleet: Fleet;
  readonly ids: Ids;
}

export const createContext = (app: App, ids: Ids, caller: Caller): Context => {
  const { tenantId } = caller;
  const operations = operationsOf(app, caller);
  return { caller, tenantId, operations, ids, fleet: createFleet(operations, ids, tenantId) };
};

type Values = Readonly<Record<string, unknown>>;

export const queryOf = (request: FastifyRequest): Values => request.query as Values;

/** The body, a JSON object or a form; an absent one is empty. Throws AppError `invalid`. */
export function bodyOf(request: FastifyRequest): Values {
  const { body = {} } = request;
  if (body === null || typeof body !== 'object' || Array.isArray(body)) throw new AppError('invalid', 'No JSON object');
  return body as Values;
}

/** All values of a query parameter that may be repeated. */
export const valuesOf = (request: FastifyRequest, name: string): string[] =>
  [queryOf(request)[name] ?? []].flat().map(String);

const invalid = (name: string, detail: string): AppError =>
  new AppError('invalid', `${name} is not valid`, [{ pointer: `/${name}`, detail }]);

/** Whole numbers of a query parameter that may be repeated. Throws AppError `invalid`. */
export const integersOf = (request: FastifyRequest, name: string): number[] =>
  valuesOf(request, name)
    .filter((text) => text !== '')
    .map((text) => {
      if (!/^\d{1,16}$/.test(text)) throw invalid(name, 'no whole number');
      return Number(text);
    });

/** The number of a record, or a count; 0 without the parameter, as clients write it too. Throws AppError `invalid`. */
export const integerOf = (request: FastifyRequest, name: string): number => integersOf(request, name)[0] ?? 0;

/** Throws AppError `invalid`. */
export function flagOf(request: FastifyRequest, name: string): boolean {
  const [text = ''] = valuesOf(request, name);
  if (!/^(true|false|)$/i.test(text)) throw invalid(name, 'neither true nor false');
  return text.toLowerCase() === 'true';
}

export const numberParameter = (request: FastifyRequest): string => (request.params as { id: string }).id;

/** Interval of a report, as the operations of this API take it. Throws AppError `invalid`. */
export function intervalOf(request: FastifyRequest): { readonly from: string; readonly to: string } {
  const read = (name: 'from' | 'to'): string => {
    const [text] = valuesOf(request, name);
    const at = text === undefined ? undefined : parseInstant(text, name);
    if (at === undefined) throw new AppError('invalid', `${name} is no instant`);
    return new Date(at).toISOString();
  };
  return { from: read('from'), to: read('to') };
}

/** What Traccar has and this server has not. */
export const notImplemented = (why: string): AppError => new AppError('not-implemented', why);
