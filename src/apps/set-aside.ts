import { setTimeout as sleep } from 'node:timers/promises';
import {
  CONTENT_CHARACTERS,
  type SetAsideOutcome,
  type SetAsideRecord,
  type SetAsideReport,
  type SetAsideRequest,
} from '../contract/set-aside.ts';
import { operate, type SetAsideEntry, type Spool } from '../gateway/spool/index.ts';
import type { Downlink } from '../gateway/uplink/index.ts';
import type { Log } from '../platform/log.ts';

/** A replay that its target has not settled by then is answered as waiting. */
const OUTCOME_MS = 5_000;

/** Operations on set-aside records of the gateway, for the operator. */
export class SetAsideDesk {
  readonly #spool: Spool;
  /** records that are reported; all are counted */
  readonly #listed: number;
  #reported = '';

  constructor(spool: Spool, listed: number) {
    this.#spool = spool;
    this.#listed = listed;
  }

  /** The report, unless the API knows it already. */
  report(whole: boolean): { readonly report: SetAsideReport; reported(): void } | undefined {
    const stores = this.#spool.targets.map((target) => this.#spool.setAside(target));
    const version = stores.map((store) => store.version).join();
    if (!whole && version === this.#reported) return undefined;
    const entries = stores.flatMap((store) => store.list()).sort((a, b) => b.at - a.at || b.seq - a.seq);
    return {
      report: { count: entries.length, records: entries.slice(0, this.#listed).map(toRecord) },
      reported: () => {
        this.#reported = version;
      },
    };
  }

  async handle({ do: what, id }: SetAsideRequest): Promise<SetAsideOutcome> {
    const store = this.#spool.targets
      .map((target) => this.#spool.setAside(target))
      .find((each) => each.entry(id) !== undefined);
    if (store === undefined) return { outcome: 'unknown' };
    if (what === 'show') {
      const record = await store.show(id);
      if (record === undefined) return { outcome: 'unknown' };
      const content = record.bytes.toString('utf8');
      const isTruncated = content.length > CONTENT_CHARACTERS;
      return { outcome: 'shown', record: toRecord(record), content: content.slice(0, CONTENT_CHARACTERS), isTruncated };
    }
    const done = await operate(this.#spool, { do: what, id, target: store.target });
    if ('error' in done) return { outcome: 'unknown' };
    if (what === 'drop') return { outcome: 'dropped' };
    await Promise.race([store.whenSettled(id), sleep(OUTCOME_MS, undefined, { ref: false })]);
    const entry = store.entry(id);
    if (entry === undefined) return { outcome: 'delivered' };
    return entry.isReplaying ? { outcome: 'waiting' } : { outcome: 'rejected', record: toRecord(entry) };
  }
}

/** The new list is reported to the API before the answer. */
export async function answerSetAside(
  request: SetAsideRequest,
  desk: SetAsideDesk,
  downlink: Downlink,
  log: Log,
): Promise<void> {
  const answer = await desk
    .handle(request)
    .catch((error: Error) => ({ outcome: 'failed' as const, detail: error.message.slice(0, 500) }));
  const { do: what, id } = request;
  if (what !== 'show') log.info({ record: id, do: what, outcome: answer.outcome }, 'an operator asked for it');
  try {
    await downlink.renew();
    await downlink.answer({ request: request.request, answer });
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'an answer to an operator was not taken');
  }
}

/** The texts of another target have any length. */
const toRecord = ({ id, target, subject, at, code, detail, size, isReplaying }: SetAsideEntry): SetAsideRecord => ({
  ...subject,
  id,
  target,
  at,
  code: code.slice(0, 64),
  detail: detail.slice(0, 500),
  size,
  isReplaying,
});
