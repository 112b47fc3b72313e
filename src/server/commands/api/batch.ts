import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { NewCommand } from '../../../contract/command.ts';
import { deviceId } from '../../../contract/position.ts';
import { AppError } from '../../../platform/errors.ts';
import { auditNote, type RequestNote } from './audit-note.ts';
import type { CheckResult, CommandKnowledge } from './dispatcher.ts';
import {
  type Caller,
  checkShared,
  demandQueued,
  type EnqueueDeps,
  type Repeat,
  resolveTargets,
  unknownDevice,
} from './enqueue.ts';
import { demandOneOf, devicesNamed } from './forms.ts';
import { batchIdFrom, commandIdFrom, newBatchId, newCommandId } from './ids.ts';
import { type CheckedCommandRequest, planCommand } from './plan.ts';
import type { BatchRequest } from './schema.ts';
import * as store from './store.ts';

export interface BatchEntry {
  imei: string;
  commandId?: string;
  problem?: { code: string; status: number; detail: string };
}

export interface BatchAnswer {
  batchId: string;
  commands: BatchEntry[];
}

/** Devices per query and transaction, so that other requests are served in between. */
const CHUNK = 500;

interface Batch {
  readonly id: string;
  readonly commandRequest: CheckedCommandRequest;
  readonly caller: Caller;
  readonly repeat: Repeat | undefined;
  /** an entry of the audit trail is written with each command */
  readonly note: RequestNote | undefined;
}

/**
 * Enqueues the same command for many devices, each once; an error of one device is returned in its entry. Throws the
 * AppErrors of `enqueue` that concern the request, `unknown-group`, and `unavailable` with the number of commands
 * already stored.
 */
export async function enqueueBatch(
  deps: EnqueueDeps,
  caller: Caller,
  { imeis, group, ...commandRequest }: BatchRequest,
  { repeat, note }: { readonly repeat?: Repeat | undefined; readonly note?: RequestNote | undefined } = {},
): Promise<BatchAnswer> {
  demandOneOf({ imeis, group });
  const checked = await checkShared(commandRequest, deps);
  const distinct = await devicesNamed(deps.app, caller.tenantId, { imeis, group });
  const id = repeat === undefined ? newBatchId(deps.clock.now()) : batchIdFrom(repeat.seed);
  const cachedDeps = { ...deps, knowledge: cacheKnowledge(deps.knowledge) };
  const commands: BatchEntry[] = [];
  for (let from = 0; from < distinct.length; from += CHUNK) {
    const chunk = distinct.slice(from, from + CHUNK);
    try {
      commands.push(...(await enqueueChunk(cachedDeps, { id, commandRequest: checked, caller, repeat, note }, chunk)));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
      throw new AppError('unavailable', `${error.message}; of batch ${id} the first ${from} devices are done`);
    }
    await yieldToOthers();
  }
  return { batchId: id, commands };
}

/** Caches the check for devices whose protocol is unknown, which asks all protocols: the request is the same for all. */
function cacheKnowledge({ check, definitions }: CommandKnowledge): CommandKnowledge {
  let unknown: CheckResult | undefined;
  return {
    definitions,
    check(protocol, command) {
      if (protocol !== undefined) return check(protocol, command);
      unknown ??= check(protocol, command);
      return unknown;
    },
  };
}

async function enqueueChunk(deps: EnqueueDeps, batch: Batch, imeis: readonly string[]): Promise<BatchEntry[]> {
  const { tenantId } = batch.caller;
  const valid = imeis.filter((imei) => deviceId.safeParse(imei).success);
  const targets = await resolveTargets(deps, tenantId, valid);
  const { repeat } = batch;
  const stored =
    repeat?.isResumed === true
      ? await store.findStored(
          deps.app,
          tenantId,
          valid.map((imei) => commandIdFrom(repeat.seed, imei)),
        )
      : new Set<string>();
  return Promise.all(
    imeis.map(async (imei): Promise<BatchEntry> => {
      try {
        if (!deviceId.safeParse(imei).success) throw new AppError('bad-device-id');
        const target = targets.get(imei);
        if (target === undefined) throw unknownDevice(imei);
        const command = newCommand(deps, batch, target);
        if (stored.has(command.id)) return { imei, commandId: command.id };
        await demandQueued(deps.app, command, await deps.dispatcher.enqueue(command));
        return { imei, commandId: command.id };
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        const { code, status, message } = error;
        return { imei, problem: { code, status, detail: message } };
      }
    }),
  );
}

function newCommand(
  deps: EnqueueDeps,
  { id: batchId, commandRequest, caller, repeat, note }: Batch,
  target: Parameters<typeof planCommand>[1],
): NewCommand {
  const now = deps.clock.now();
  const planned = planCommand(commandRequest, target, { ...deps, scopes: caller.scopes, now });
  const id = repeat === undefined ? newCommandId(now) : commandIdFrom(repeat.seed, target.imei);
  return {
    ...planned,
    id,
    batchId,
    tenantId: caller.tenantId,
    createdBy: caller.actor,
    note: auditNote(note, target.imei, { ...planned, batchId }),
  };
}
