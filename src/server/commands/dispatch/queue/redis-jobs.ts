import { chunks, type DesiredJob } from './backend.ts';
import type { RedisClient } from './redis-client.ts';

/** Jobs that one call of the script writes: Redis serves no other client meanwhile. */
const MAX_PER_CALL = 100;
const FIELDS = 8;

/**
 * Writes jobs in the format of BullMQ 6 (`storeJob`, `addDelayedJob`, `moveToFinished` of its scripts). Missing jobs
 * are created, parked or ended; parked ones are ended; those that have ended with the same state stay. Arguments of
 * each job: id, name, data, options, time of creation, end state (empty: parked), time and result. Returns the ids of
 * jobs in another state.
 */
const SETTLE = `
local prefix, count, before = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local sets = {completed = KEYS[2], failed = KEYS[3]}
local results = {completed = 'returnvalue', failed = 'failedReason'}
local others, parked = {}, false
for at = 4, #ARGV, ${FIELDS} do
  local id, fate, time = ARGV[at], ARGV[at + 5], ARGV[at + 6]
  local key = prefix .. id
  local made = redis.call('EXISTS', key) == 0
  if made then
    redis.call('HSET', key, 'name', ARGV[at + 1], 'data', ARGV[at + 2], 'opts', ARGV[at + 3],
      'timestamp', ARGV[at + 4], 'delay', fate == '' and time - ARGV[at + 4] or 0, 'priority', 0)
  end
  if fate == '' then
    if made then
      redis.call('ZADD', KEYS[1], time * 0x1000, id)
      parked = true
    elseif not redis.call('ZSCORE', KEYS[1], id) then
      others[#others + 1] = id
    end
  elseif made or redis.call('ZREM', KEYS[1], id) == 1 then
    redis.call('HSET', key, 'delay', 0, 'processedOn', time, 'finishedOn', time, 'atm', 1, 'ats', 1,
      results[fate], ARGV[at + 7])
    redis.call('ZADD', sets[fate], time, id)
  else
    local stored = redis.call('HMGET', key, results[fate], 'failedReason')
    local same = stored[1] == ARGV[at + 7] and (fate == 'failed' or not stored[2])
    if not same or not redis.call('ZSCORE', sets[fate], id) then
      others[#others + 1] = id
    end
  end
end
if parked then
  local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  redis.call('ZADD', KEYS[4], first[2] / 0x1000, '1')
end
for _, set in pairs(sets) do
  local beyond = math.min(redis.call('ZCARD', set) - count, 1000)
  local old = beyond > 0 and redis.call('ZRANGE', set, 0, beyond - 1)
    or redis.call('ZRANGEBYSCORE', set, '-inf', before, 'LIMIT', 0, 1000)
  for _, id in ipairs(old) do
    redis.call('DEL', prefix .. id, prefix .. id .. ':logs')
    redis.call('ZREM', set, id)
  end
end
return others`;

/** Returns the ids of the jobs that are now correct. `base`: key prefix of the queue. */
export async function settleJobs(
  client: RedisClient,
  base: string,
  list: readonly DesiredJob[],
  { count, before }: { readonly count: number; readonly before: number },
): Promise<Set<string>> {
  const right = new Set<string>();
  const keys = ['delayed', 'completed', 'failed', 'marker'].map((name) => `${base}${name}`);
  for (const chunk of chunks(list, MAX_PER_CALL)) {
    const given = [...keys, base, count, before, ...chunk.flatMap(fieldsOf)];
    const others = (await client.eval(SETTLE, keys.length, ...given)) as string[];
    for (const { job } of chunk) right.add(job.opts.jobId);
    for (const id of others) right.delete(id);
  }
  return right;
}

function fieldsOf({ job, outcome, at }: DesiredJob): (string | number)[] {
  const { name, data, opts, timestamp } = job;
  const made = [opts.jobId, name, JSON.stringify(data), JSON.stringify({ ...opts, attempts: 0 }), timestamp];
  if (outcome.type === 'parked') return [...made, '', at, ''];
  return [...made, outcome.type, at, outcome.type === 'failed' ? outcome.reason : JSON.stringify(outcome.answer)];
}
