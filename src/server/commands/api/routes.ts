import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CommandState } from '../../../contract/command.ts';
import type { ErrorCode } from '../../../platform/errors.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import {
  type App,
  etagOf,
  listOf,
  matches,
  notModified,
  principalOf,
  setTag,
  tenantOf,
  toInstant,
} from '../../kernel/http/index.ts';
import type { RequestNote } from './audit-note.ts';
import { enqueueBatch } from './batch.ts';
import { type Caller, type EnqueueDeps, type EnqueueService, unknownDevice } from './enqueue.ts';
import { checkRequest, commandTypes, devicesNamed } from './forms.ts';
import type { PendingService } from './pending/service.ts';
import { presentOutcome } from './present.ts';
import * as schema from './schema.ts';
import type { CommandService } from './service.ts';
import type { UserRequestService } from './user-requests.ts';
import type { Waiter } from './wait.ts';

export interface CommandServices {
  readonly commands: CommandService;
  readonly enqueuing: EnqueueService;
  readonly batches: EnqueueDeps;
  readonly pending: PendingService;
  readonly userRequests: UserRequestService;
}

const read = { access: ['commands:read'] } as const;
const write = { access: ['commands:write'] } as const;
/** action in the audit trail */
const ENQUEUED = 'POST /v1/gprsCommands/';
const ENQUEUED_MANY = 'POST /v1/gprsCommands/batch';
const enqueueAccess = { access: ['commands:write'], isRepeatable: true } as const;
/** Error codes of a command request for one device or many. */
const ENQUEUE_ERRORS = [
  'bad-device-id',
  'bad-parameters',
  'command-too-long',
  'private-address',
  'ttl-out-of-range',
  'unsupported-by-protocol',
  'polygon-not-closed',
  'polygon-self-intersects',
] as const satisfies readonly ErrorCode[];
const tags = ['gprsCommands'];
/** 100,000 device ids of 64 characters, and a command */
const BATCH_BYTES = 8 * 1_048_576;

export function addCommandRoutes(app: App, services: CommandServices): void {
  const waiters = createWaiters();
  app.addHook('preClose', async () => waiters.close());
  addEnqueueRoutes(app, services, waiters);
  addFormRoutes(app, services.batches);
  addReadRoutes(app, services, waiters);
  addUserRequestRoutes(app, services.userRequests);
}

/** Message of the answer: queued, or the final state of the command. */
const messageOf = (state: CommandState): string => (state === 'pending' ? 'Command queued' : `Command ${state}`);

function callerOf(request: FastifyRequest): Caller {
  const { kind, id, scopes } = principalOf(request);
  return { tenantId: tenantOf(request), actor: `${kind}:${id}`, scopes };
}

/** Clients that wait for a command's end. */
interface Waiters {
  /** The waiter is gone if the client has disconnected, or the server closes and answers with the current status. */
  of(reply: FastifyReply): Waiter;
  close(): void;
}

function createWaiters(): Waiters {
  const all = new Set<() => void>();
  let isClosed = false;
  return {
    of: ({ raw }) => ({
      get isGone() {
        return isClosed || raw.destroyed;
      },
      onGone(listener) {
        raw.once('close', listener);
        all.add(listener);
        return () => {
          raw.off('close', listener);
          all.delete(listener);
        };
      },
    }),
    close() {
      isClosed = true;
      for (const listener of Array.from(all)) listener();
    },
  };
}

const noteOf = (request: FastifyRequest, action: string): RequestNote => {
  const { id: actor, viaKey } = principalOf(request);
  return { actor, viaKey, address: request.ip, action, requestId: request.id };
};

function addEnqueueRoutes(app: App, { commands, enqueuing, batches }: CommandServices, waiters: Waiters): void {
  app.post(
    '/v1/gprsCommands/',
    {
      // recorded by the statement that stores the command
      config: {
        ...enqueueAccess,
        auditsItself: true,
        errors: ['unknown-device', 'device-queue-full', 'duplicate-pending', ...ENQUEUE_ERRORS],
      },
      schema: {
        tags,
        summary: 'Queue a command for a device',
        description:
          'It goes to the device at once where that is online and free, otherwise when it connects. Privileged ' +
          'commands need the scope `commands:privileged`. With an `Idempotency-Key` a repeated request is answered ' +
          'as the first was and queues nothing.',
        body: schema.enqueueRequest.meta({
          example: {
            imei: '356307042441013',
            gprsCommand: 'getinfo',
            ttlSeconds: 300,
            priority: 5,
            dedupeKey: 'daily-check',
          },
        }),
        querystring: schema.waitQuery,
        response: { 200: schema.enqueued },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const note = noteOf(request, ENQUEUED);
      const { id, store } = await enqueuing.prepare(caller, request.body, { repeat: request.repeatable, note });
      const waitOptions = { seconds: request.query.wait, waiter: waiters.of(reply) };
      const { state, expiresAt, outcome } = await commands.status(caller.tenantId, id, waitOptions, store);
      const status = { message: messageOf(state), commandId: id, status: state, expiresAt: toInstant(expiresAt) };
      return waitOptions.seconds === 0 ? status : { ...status, ...presentOutcome(state, outcome) };
    },
  );
  app.post(
    '/v1/gprsCommands/batch',
    {
      config: {
        ...enqueueAccess,
        auditsItself: true,
        errors: ['unknown-group', ...ENQUEUE_ERRORS],
      },
      bodyLimit: BATCH_BYTES,
      schema: {
        tags,
        summary: 'Queue the same command for many devices',
        description:
          'Each device once. What is wrong with one of them is reported beside it and delays no other. A large batch ' +
          'that breaks off goes on where it was when it is repeated with the same `Idempotency-Key`.',
        body: schema.batchRequest.meta({
          example: { imeis: ['356307042441013'], gprsCommand: 'getver', ttlSeconds: 3600, priority: 7 },
        }),
        response: { 200: schema.batchAnswer },
      },
    },
    async (request) => {
      const { repeatable: repeat } = request;
      return enqueueBatch(batches, callerOf(request), request.body, { repeat, note: noteOf(request, ENQUEUED_MANY) });
    },
  );
}

function addFormRoutes(app: App, deps: EnqueueDeps): void {
  app.get(
    '/v1/gprsCommands/types',
    {
      config: { ...read, errors: ['unknown-device', 'unknown-group'] },
      schema: {
        tags,
        summary: 'Commands that a device or the devices of a group take, with their parameters',
        description:
          'By the protocol of the current or last session of each device, otherwise by its option `protocol`. A device ' +
          'of which neither is known takes texts alone, and counts in `devices` only. A parameter is required if all ' +
          'protocols require it.',
        querystring: schema.typesQuery,
        response: { 200: schema.commandTypeList },
      },
    },
    async (request) => {
      const { imei, group } = request.query;
      const tenantId = tenantOf(request);
      if (imei !== undefined && (await deps.lookups.target(tenantId, imei)) === undefined) throw unknownDevice(imei);
      const imeis = await devicesNamed(deps.app, tenantId, imei === undefined ? { group } : { imeis: [imei] });
      return commandTypes(deps, tenantId, imeis);
    },
  );
  app.post(
    '/v1/gprsCommands/check',
    {
      config: { ...read, errors: ['unknown-group', ...ENQUEUE_ERRORS] },
      bodyLimit: BATCH_BYTES,
      schema: {
        tags,
        summary: 'Check a command without queueing it',
        description:
          'Takes the body of a batch. Answers which devices take the command, for how many it is privileged, and why ' +
          'the others do not take it. A device that is not registered is refused here, also where queueing registers it.',
        body: schema.batchRequest.meta({ example: { imeis: ['356307042441013'], type: 'engineStop' } }),
        response: { 200: schema.commandCheck },
      },
    },
    async (request) => {
      const { imeis, group, ...commandRequest } = request.body;
      const tenantId = tenantOf(request);
      const devices = await devicesNamed(deps.app, tenantId, { imeis, group });
      return checkRequest(deps, tenantId, devices, commandRequest);
    },
  );
}

function addReadRoutes(app: App, { commands, pending }: CommandServices, waiters: Waiters): void {
  app.get(
    '/v1/gprsCommands/',
    {
      config: { ...read, errors: ['unknown-device'] },
      schema: {
        tags,
        summary: 'Commands, newest first',
        querystring: schema.listQuery,
        response: { 200: listOf(schema.command) },
      },
    },
    (request) => commands.list(tenantOf(request), request.query),
  );
  app.get(
    '/v1/gprsCommands/:commandId',
    {
      config: { isTagged: true, ...read, errors: ['unknown-command'] },
      schema: {
        tags,
        summary: 'A command with its history',
        params: schema.commandParameter,
        querystring: schema.waitQuery,
        response: { 200: schema.command },
      },
    },
    async (request, reply) => {
      const waitOptions = { seconds: request.query.wait, waiter: waiters.of(reply) };
      const command = await commands.find(tenantOf(request), request.params.commandId, waitOptions);
      const etag = etagOf(command);
      setTag(request, reply, etag);
      return matches(request.headers['if-none-match'], etag) ? notModified(reply) : command;
    },
  );
  app.get(
    '/v1/gprsCommands/pending',
    {
      config: read,
      schema: {
        tags,
        summary: 'What is pending for all devices, and why',
        description:
          '`items` are the pending commands. A command in flight (status `sending` or `sent`) counts toward `limit` and ' +
          'is listed in `explain` with the reason `waiting-for-answer`, but not in `items`: a page can have fewer ' +
          'items than `limit`, or none, and still have a `nextCursor`.',
        querystring: schema.pendingQuery,
        response: { 200: schema.pendingOfAll },
      },
    },
    (request) => pending.ofAll(tenantOf(request), request.query),
  );
  app.get(
    '/v1/gprsCommands/pending/:imei',
    {
      config: { ...read, errors: ['unknown-device', 'unknown-command', 'bad-device-id', 'bad-cursor'] },
      schema: {
        tags,
        summary: 'What is pending for a device, and why',
        description:
          '`items` are the pending commands: all of them, or pages of `limit`. The command in flight (status `sending` or `sent`) is in ' +
          '`inFlight` and `explain`. It counts toward the number of open commands that a device may have, beyond ' +
          'which a new one is refused with `device-queue-full`.',
        params: schema.deviceParameter,
        querystring: schema.pendingOfDeviceQuery,
        response: { 200: schema.pendingOfDevice },
      },
    },
    (request) => pending.ofDevice(tenantOf(request), request.params.imei, request.query),
  );
}

function addUserRequestRoutes(app: App, userRequests: UserRequestService): void {
  app.delete(
    '/v1/gprsCommands/:commandId',
    {
      config: { ...write, errors: ['unknown-command', 'already-final', 'command-in-flight'] },
      schema: {
        tags,
        summary: 'Cancel a command',
        params: schema.commandParameter,
        querystring: schema.cancelQuery,
        response: { 200: schema.cancelAnswer },
      },
    },
    async (request) => {
      const { commandId } = request.params;
      const done = await userRequests.cancel(callerOf(request), commandId, request.query.force);
      noteChange(request, { before: { status: done.wasStatus }, after: { status: done.status } });
      return { message: 'Command cancelled', commandId, ...done };
    },
  );
  app.delete(
    '/v1/gprsCommands/:target/reset',
    {
      config: { ...write, errors: ['unknown-command', 'unknown-device', 'already-final', 'command-in-flight'] },
      schema: {
        tags,
        summary: 'Flush: cancel all of a device’s commands that have not ended',
        params: schema.targetParameter,
        querystring: schema.flushQuery,
        response: { 200: schema.flushAnswer },
      },
    },
    async (request) => {
      const { includeInFlight } = request.query;
      const done = await userRequests.flush(callerOf(request), request.params.target, includeInFlight);
      noteChange(request, { after: { cancelled: done.commandIds } });
      return { message: 'Commands cancelled', ...done };
    },
  );
  app.put(
    '/v1/gprsCommands/:target/reset',
    {
      config: {
        ...enqueueAccess,
        bodyIsOptional: true,
        errors: [
          'unknown-command',
          'unknown-device',
          'already-final',
          'at-most-once',
          'device-queue-full',
          'duplicate-pending',
          'ttl-out-of-range',
        ],
      },
      schema: {
        tags,
        summary: 'Re-arm: put commands that were not acknowledged back to pending',
        description:
          'Their attempts and their time to live start again. With the id of a command that one is put back, ' +
          'whatever `statuses` says.',
        params: schema.targetParameter,
        body: schema.rearmRequest.meta({ example: { statuses: ['failed', 'expired'], ttlSeconds: 3600 } }),
        response: { 200: schema.rearmAnswer },
      },
    },
    async (request) => {
      const done = await userRequests.rearm(callerOf(request), request.params.target, request.body);
      noteChange(request, { after: { queuedAgain: done.commandIds } });
      return { message: 'Commands queued again', ...done };
    },
  );
}
