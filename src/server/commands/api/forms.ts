import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type pg from 'pg';
import type { z } from 'zod';
import { deviceId } from '../../../contract/position.ts';
import { AppError } from '../../../platform/errors.ts';
import type { CommandDefinition, CommandKnowledge } from './dispatcher.ts';
import { checkCommandRequest, checkFor, refusalOf } from './plan.ts';
import { type BatchRequest, type commandCheck, type commandType, MAX_BATCH_DEVICES } from './schema.ts';
import * as store from './store.ts';
import { protocolOf, type Target } from './target.ts';

export type CommandType = z.output<typeof commandType>;
export type CommandCheckAnswer = z.output<typeof commandCheck>;

/** Devices per query, so that other requests are served in between. */
const CHUNK = 500;
const MAX_REFUSED = 100;

interface FormDeps {
  readonly app: pg.Pool;
  readonly knowledge: CommandKnowledge;
}

/** Throws AppError `invalid` unless a request names its devices or a group. */
export function demandOneOf({ imeis, group }: Pick<BatchRequest, 'imeis' | 'group'>): void {
  if ((imeis === undefined) !== (group === undefined)) return;
  const detail = 'either device ids (imeis) or a group is needed';
  throw new AppError('invalid', 'The body is not valid', [{ pointer: '/imeis', detail }]);
}

/**
 * Devices that a request names, or whose vehicles are in the group, each once. Throws AppError `unknown-group`,
 * `invalid`.
 */
export async function devicesNamed(
  app: pg.Pool,
  tenantId: number,
  { imeis, group }: Pick<BatchRequest, 'imeis' | 'group'>,
): Promise<readonly string[]> {
  demandOneOf({ imeis, group });
  if (imeis !== undefined) return [...new Set(imeis)];
  const devices = await store.findGroupDevices(app, tenantId, group!, MAX_BATCH_DEVICES + 1);
  if (devices === undefined) throw new AppError('unknown-group', `There is no group ${JSON.stringify(group)}`);
  if (devices.length > MAX_BATCH_DEVICES)
    throw new AppError('invalid', `The group has more than ${MAX_BATCH_DEVICES} devices`);
  return [...new Set(devices)];
}

async function* targetsOf(app: pg.Pool, tenantId: number, imeis: readonly string[]) {
  for (let from = 0; from < imeis.length; from += CHUNK) {
    const some = imeis.slice(from, from + CHUNK);
    const valid = some.filter((imei) => deviceId.safeParse(imei).success);
    const found = new Map((await store.findTargets(app, tenantId, valid)).map((target) => [target.imei, target]));
    for (const imei of some) yield { imei, target: found.get(imei) };
    await yieldToOthers();
  }
}

/**
 * Commands that the devices support, each with the number of devices. A device without a known protocol supports none.
 */
export async function commandTypes(
  { app, knowledge }: FormDeps,
  tenantId: number,
  imeis: readonly string[],
): Promise<{ devices: number; items: CommandType[] }> {
  const counts = new Map<string, number>();
  for await (const { target } of targetsOf(app, tenantId, imeis)) {
    const protocol = target === undefined ? undefined : protocolOf(target);
    if (protocol !== undefined) counts.set(protocol, (counts.get(protocol) ?? 0) + 1);
  }
  const types = new Map<string, CommandType>();
  for (const [protocol, devices] of counts) {
    for (const definition of knowledge.definitions(protocol)) {
      const before = types.get(definition.type);
      types.set(
        definition.type,
        before === undefined
          ? { ...definition, parameters: [...definition.parameters], devices }
          : merged(before, definition, devices),
      );
    }
  }
  return { devices: imeis.length, items: [...types.values()] };
}

/** A parameter is required if it is required by every protocol that supports the command. */
function merged(
  before: CommandType,
  { parameters, repeatable, endsSession }: CommandDefinition,
  devices: number,
): CommandType {
  const names = new Set([...before.parameters, ...parameters].map(({ name }) => name));
  return {
    ...before,
    repeatable: before.repeatable && repeatable,
    endsSession: before.endsSession || endsSession,
    devices: before.devices + devices,
    parameters: [...names].map((name) => {
      const both = [before.parameters, parameters].flatMap((list) => list.find((one) => one.name === name) ?? []);
      return { ...both[0]!, required: both.length === 2 && both.every(({ required }) => required) };
    }),
  };
}

/** Dry run of a command request: nothing is queued. Throws AppError as `checkCommandRequest` does. */
export async function checkRequest(
  { app, knowledge }: FormDeps,
  tenantId: number,
  imeis: readonly string[],
  commandRequest: Parameters<typeof checkCommandRequest>[0],
): Promise<CommandCheckAnswer> {
  const checked = checkCommandRequest(commandRequest);
  const command = { type: checked.command, params: checked.params, encoding: checked.encoding };
  const answer: CommandCheckAnswer = { devices: imeis.length, accepted: 0, privileged: 0, refused: [] };
  const refuse = (imei: string, { code, message }: AppError): void => {
    if (answer.refused.length < MAX_REFUSED) answer.refused.push({ imei, code, detail: message });
  };
  const checkOne = (target: Target): void => {
    const result = checkFor(command, target, knowledge);
    const refusal = refusalOf(checked, protocolOf(target), result);
    if (refusal !== undefined) refuse(target.imei, refusal);
    else {
      answer.accepted++;
      if (result.isPrivileged) answer.privileged++;
    }
  };
  for await (const { imei, target } of targetsOf(app, tenantId, imeis)) {
    if (target === undefined) refuse(imei, new AppError('unknown-device', `${imei} is not registered`));
    else checkOne(target);
  }
  return answer;
}
