import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { z } from 'zod';
import type { Config } from '../../apps/config.ts';
import { apiConnector } from '../../platform/api-connector.ts';
import { localApiTrust, localApiUrl } from '../../platform/local-api.ts';
import { runningPid } from './data.ts';
import { type Finding, fail, ok, reason, warn } from './finding.ts';
import { judgeMetrics, parseMetrics } from './metrics.ts';

const TIMEOUT_MS = 10_000;

const readiness = z.object({
  status: z.enum(['ready', 'degraded', 'not-ready']),
  checks: z.array(
    z.object({
      name: z.string(),
      ok: z.boolean(),
      required: z.boolean().optional(),
      detail: z.string().optional(),
      refused: z.string().optional(),
      since: z.string().optional(),
    }),
  ),
});
type Readiness = z.output<typeof readiness>;

/** The server that these settings describe: what its /readyz says, or why it does not answer although it runs. */
export type Running = { readonly readiness: Readiness } | { readonly trouble: string };

/** Undefined if no server of these settings runs: its ports can be tried then. */
export async function findRunning(config: Config): Promise<Running | undefined> {
  if (config.PORT !== 0) {
    const answer = await get(config, '/readyz').catch((error: unknown) => reason(error));
    if (typeof answer !== 'string') {
      const parsed = readiness.safeParse(answer.json());
      if (parsed.success) return { readiness: parsed.data };
    } else if (runningPid(config) !== undefined) return { trouble: answer };
  }
  return undefined;
}

/** What is wrong now, since when, what it stops, and what to do. */
export async function checkRunning(config: Config, running: Running): Promise<Finding[]> {
  const url = ownUrl(config);
  if ('trouble' in running) {
    const advice = 'its log names the reason; a start can take a minute';
    return [fail(`the server runs, and does not answer at ${url}: ${running.trouble}`, advice)];
  }
  const { status, checks } = running.readiness;
  const failed = checks.filter((check) => !check.ok);
  const findings = failed.map(({ name, detail, refused, since, required }) => {
    const text = [`${name}: ${detail ?? 'not ok'}`, since && `since ${since}`, refused && `stops: ${refused}`];
    const report = required === false ? warn : fail;
    return report(
      text.filter(Boolean).join('; '),
      `docs/runbook.md, ${required === false ? 'FleetgateDegraded' : 'FleetgateNotReady'}`,
    );
  });
  const summary = `the server answers at ${url}: ${status}, ${checks.length - failed.length} of ${checks.length} checks hold`;
  return [ok(summary), ...findings, ...(await checkMetrics(config))];
}

async function checkMetrics(config: Config): Promise<Finding[]> {
  const token = config.METRICS_TOKEN ?? config.API_KEY ?? firstRunKey(config);
  try {
    const answer = await get(config, '/metrics', token);
    if (answer.status === 401 || answer.status === 403) {
      return [warn('its metrics cannot be read', 'set METRICS_TOKEN or API_KEY as the server has it')];
    }
    return judgeMetrics(parseMetrics(answer.text));
  } catch (error) {
    return [fail(`its metrics cannot be read: ${reason(error)}`, 'look at its log')];
  }
}

/** The key of the first start, if it is still where it was made. */
function firstRunKey({ DATA_DIR: dataDir }: Config): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(dataDir, 'keys', 'first-run-key.json'), 'utf8')) as { key: string }).key;
  } catch {
    return undefined;
  }
}

/** A gateway alone answers in clear text. */
const ownUrl = ({ API_TLS_CERT: certificate, ...config }: Config): string =>
  localApiUrl({ ...config, API_TLS_CERT: config.ROLE === 'gateway' ? undefined : certificate });

async function get(config: Config, path: string, token?: string) {
  const isSecure = config.ROLE !== 'gateway' && config.API_TLS_CERT !== undefined;
  const dispatcher = new Agent(isSecure ? { connect: apiConnector(localApiTrust(config)) } : {});
  try {
    const { statusCode, body } = await request(new URL(path, ownUrl(config)), {
      dispatcher,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await body.text();
    return { status: statusCode, text, json: (): unknown => jsonOf(text) };
  } catch (error) {
    throw (error as { cause?: unknown }).cause ?? error;
  } finally {
    await dispatcher.destroy();
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
