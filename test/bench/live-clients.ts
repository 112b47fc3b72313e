import { Agent, request } from 'node:http';
import { systemClock } from '../../src/platform/clock.ts';

/** Holds the event streams of the benchmark `live` and reports what it hears, ten times a second. */
interface Clients {
  readonly url: string;
  readonly key: string;
  readonly imeis: readonly string[];
}

process.on('message', (clients: Clients) => void connect(clients));

async function connect({ url, key, imeis }: Clients): Promise<void> {
  let heard: { id: string; at: number }[] = [];
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const open = (imei: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}` };
      const sent = request(`${url}/v1/events?types=position&imeis=${imei}`, { agent, headers }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`));
        response.setEncoding('utf8').on('data', (chunk: string) => {
          const at = systemClock.now();
          for (const [, id] of chunk.matchAll(/^data: \{"id":"([\w-]{22})"/gm)) heard.push({ id: id!, at });
        });
        return resolve();
      });
      sent.on('error', reject);
      sent.end();
    });
  for (let n = 0; n < imeis.length; n += 50) await Promise.all(imeis.slice(n, n + 50).map(open));
  process.send!('connected');
  setInterval(() => {
    if (heard.length > 0) process.send!(heard);
    heard = [];
  }, 100);
}
