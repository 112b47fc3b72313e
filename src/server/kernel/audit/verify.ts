import type pg from 'pg';
import type { Secrets } from '../secrets/index.ts';
import type { Anchor } from './anchor.ts';
import { type AuditKeys, createAuditKeys } from './keys.ts';
import * as store from './store.ts';

export interface Verified {
  readonly tenantId: number;
  readonly blocks: number;
  /** empty if the trail is intact */
  readonly problems: readonly string[];
  /** number of last blocks without a MAC, written by an earlier version */
  readonly unsigned: number;
}

/** Compares the audit trail of every tenant with its chain, the MACs of the chain, and the anchors. */
export async function verifyAudit(
  pool: pg.Pool,
  secrets: Secrets,
  anchors: readonly Anchor[],
): Promise<readonly Verified[]> {
  const keys = createAuditKeys(pool, secrets);
  const tenants = new Set([...(await store.listTenants(pool)), ...anchors.map(({ tenantId }) => tenantId)]);
  const verified: Verified[] = [];
  for (const tenantId of [...tenants].sort((a, b) => a - b)) {
    const own = anchors.filter((anchor) => anchor.tenantId === tenantId);
    verified.push(await verifyTenant(pool, keys, tenantId, own));
  }
  return verified;
}

async function verifyTenant(
  pool: pg.Pool,
  keys: AuditKeys,
  tenantId: number,
  anchors: readonly Anchor[],
): Promise<Verified> {
  const problems: string[] = [];
  const broken = await store.readBrokenBlock(pool, tenantId);
  if (broken !== null) problems.push(`block ${broken} or its rows were changed, removed or inserted`);
  const missing = new Map<number, Anchor[]>();
  for (const anchor of anchors) missing.set(anchor.block, [...(missing.get(anchor.block) ?? []), anchor]);
  let blocks = 0;
  let unsigned = 0;
  let isSignedBefore = false;
  let badMac: number | undefined;
  for await (const block of store.readBlocks(pool, tenantId)) {
    blocks++;
    const isUnsigned = block.mac === null;
    unsigned = isUnsigned ? unsigned + 1 : 0;
    if (isUnsigned ? isSignedBefore : !(await keys.isSigned(block))) badMac ??= block.number;
    isSignedBefore ||= !isUnsigned;
    const hash = block.hash.toString('hex');
    const other = missing.get(block.number)?.find((anchor) => anchor.hash !== hash);
    if (other !== undefined) problems.push(`block ${block.number} is not the one that was anchored at ${other.at}`);
    missing.delete(block.number);
  }
  if (badMac !== undefined) problems.push(`block ${badMac} was not written by this installation`);
  const last = [...missing.values()]
    .flat()
    .sort((a, b) => a.block - b.block)
    .at(-1);
  if (last !== undefined) problems.push(`blocks up to ${last.block} were anchored at ${last.at} and are missing`);
  return { tenantId, blocks, problems, unsigned };
}
