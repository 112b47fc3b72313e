import { z } from 'zod';

const count = z.coerce.number().int();

/** Settings of streams to other systems; part of the schema in config.ts. */
export const streamSettings = {
  STREAMS_PER_TENANT: count.min(0).max(1_000).default(20).describe('maximum number of streams of a tenant'),
  STREAM_TIMEOUT_MS: count
    .min(1_000)
    .max(60_000)
    .default(15_000)
    .describe('time in which the receiver of a stream has to acknowledge, ms'),
  STREAM_BATCH: count
    .min(1)
    .max(10_000)
    .default(1_000)
    .describe('number of messages of a stream that are sent before an acknowledgement is awaited'),
  STREAM_DEAD_LETTERS: count
    .min(1)
    .max(1_000_000)
    .default(10_000)
    .describe('number of rejected messages that are kept of each stream'),
};

/** A stream of the settings, for all tenants. */
export interface InstallationStream {
  readonly name: string;
  readonly url: string;
  readonly topic: string | undefined;
  readonly kinds: readonly string[];
  /** as in POST /v1/streams */
  readonly options?: unknown;
}

const KINDS = ['position', 'session', 'alarm', 'command', 'notification'];
const SCHEMES = /^(https?|mqtts?|rediss?|amqps?|kafkas?|nats|tls|wialons?|egtss?):\/\/./;
const NAME = /^STREAM_([A-Z0-9_]+)_(URL|TOPIC|KINDS|OPTIONS)$/;

/** STREAM_<NAME>_URL, STREAM_<NAME>_TOPIC, STREAM_<NAME>_KINDS and STREAM_<NAME>_OPTIONS. */
export function readInstallationStreams(
  given: Readonly<Record<string, string>>,
  problems: string[],
): InstallationStream[] {
  const names = new Set(Object.keys(given).flatMap((setting) => NAME.exec(setting)?.[1] ?? []));
  return [...names].sort().flatMap((name): InstallationStream[] => {
    const url = given[`STREAM_${name}_URL`];
    const kinds = (given[`STREAM_${name}_KINDS`] ?? 'position').split(',').map((kind) => kind.trim());
    if (url === undefined) problems.push(`STREAM_${name}_URL: required with the other settings of the stream`);
    else if (!SCHEMES.test(url) || !URL.canParse(url)) {
      problems.push(
        `STREAM_${name}_URL: must be a URL of http, mqtt, redis, amqp, kafka, wialon or egts (with s: over TLS), nats or tls`,
      );
    }
    if (!kinds.every((kind) => KINDS.includes(kind))) {
      problems.push(`STREAM_${name}_KINDS: must be a list of ${KINDS.join(', ')}`);
    }
    const options = readOptions(`STREAM_${name}_OPTIONS`, given, problems);
    const topic = given[`STREAM_${name}_TOPIC`];
    return url === undefined ? [] : [{ name: name.toLowerCase(), url, topic, kinds, options }];
  });
}

function readOptions(setting: string, given: Readonly<Record<string, string>>, problems: string[]): unknown {
  try {
    return JSON.parse(given[setting] ?? '{}');
  } catch {
    problems.push(`${setting}: must be a JSON object`);
    return {};
  }
}
