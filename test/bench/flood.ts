import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { Pool } from 'undici';

/** Input of the flood, as JSON on stdin; it runs in a process of its own until its parent lets go. */
export interface Flood {
  readonly url: string;
  readonly perSecond: number;
  /** user names that there are; each second attempt is for one of them, the others for nobody */
  readonly users: readonly string[];
  /** different addresses that it seems to come from */
  readonly addresses: number;
}

const flood = (await json(process.stdin)) as Flood;
const pool = new Pool(flood.url, { connections: 16 });
const statuses: Record<number, number> = {};
let sent = 0;
const started = process.hrtime.bigint();
const timer = setInterval(() => {
  const due = (Number(process.hrtime.bigint() - started) / 1e9) * flood.perSecond;
  for (; sent < due; sent++) void attempt(sent);
}, 20);

async function attempt(n: number): Promise<void> {
  const username = n % 2 === 0 ? flood.users[(n / 2) % flood.users.length]! : `nobody-${n}`;
  const place = n % flood.addresses;
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/v1/auth/credentials',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `10.${(place >> 16) & 255}.${(place >> 8) & 255}.${place & 255}`,
    },
    body: JSON.stringify({ username, password: randomUUID() }),
  });
  await body.dump();
  statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
}

process.on('SIGTERM', () => {
  clearInterval(timer);
  process.stdout.write(JSON.stringify({ sent, statuses }));
  process.exit();
});
