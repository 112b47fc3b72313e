import { all, pathOf } from './operations.ts';
import { numberOf } from './record-values.ts';
import type { Context } from './request.ts';

interface OwnGroup {
  readonly id: string;
  readonly name: string;
}

/** The name of a group by its number, as vehicles have it. Throws AppError `not-found`. */
export async function groupNameOf({ operations, ids, tenantId }: Context, number: number): Promise<string | null> {
  if (number === 0) return null;
  const key = await ids.keyOf(tenantId, 'group', number);
  return (await operations.call<OwnGroup>('GET', pathOf`/v1/groups/${key}`)).name;
}

/** These groups and those inside of them: clients nest groups, and Traccar reports on the devices of all of them. */
export async function withNested(context: Context, numbers: readonly number[]): Promise<ReadonlySet<number>> {
  const found = new Set(numbers);
  if (found.size === 0) return found;
  const { operations, ids, tenantId } = context;
  const keys = (await all(operations.list<OwnGroup>('/v1/groups'))).map(({ id }) => id);
  const [known, data] = await Promise.all([
    ids.numbersOf(tenantId, 'group', keys),
    ids.dataOf(tenantId, 'group', keys),
  ]);
  const parents = keys.map((key) => [known.get(key)!, numberOf(data.get(key)?.['groupId'])] as const);
  // iteration over a set includes values added meanwhile; cycles end because groups are added once
  for (const outer of found) for (const [inner, parent] of parents) if (parent === outer) found.add(inner);
  return found;
}
