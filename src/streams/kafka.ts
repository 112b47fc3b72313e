import { randomInt } from 'node:crypto';
import { isIP, type LookupFunction } from 'node:net';
import {
  type API,
  type Broker,
  type Callback,
  type CallbackWithPromise,
  type Connection,
  kGetApi,
  kGetConnection,
  kOptions,
  murmur2,
  ProduceAcks,
  Producer,
  type ProducerOptions,
  SASLMechanisms,
  type SASLMechanismValue,
  UserError,
} from '@platformatic/kafka';
import { avroOf } from './avro/message.ts';
import { createEnd, within } from './deadline.ts';
import { sendHalving } from './halving.ts';
import { encodeRecord, produceApi } from './kafka-records.ts';
import type { OpenSender, StreamContext, StreamMessage, StreamOptions, StreamTarget } from './message.ts';
import { credentialsOf, tlsOptions } from './tls.ts';
import { topicOf } from './topics.ts';

const TOPIC = 'fleetgate';
const PORT = 9092;
/** Brokers accept 1,048,588 bytes for the records of a partition, unless `message.max.bytes` says otherwise. */
const BATCH_BYTES = 900_000;
/** key, headers and lengths of a record */
const RECORD_BYTES = 300;
/** more than a topic has: events without a key go to any */
const PARTITIONS = 100_000;
const RETRIES = 3;
const RETRY_MS = 250;
const UNKNOWN_TOPIC = new Set(['UNKNOWN_TOPIC_OR_PARTITION']);
/** errors of Kafka that every repetition would have */
const REJECTED = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD']);

/** Kafka: idempotent producer, acknowledged by all in-sync replicas. The key is the device id. */
export const openKafka: OpenSender = async (target, context) => {
  const topic = target.topic ?? TOPIC;
  const isAvro = target.options['format'] === 'avro';
  const { ended, end } = createEnd();
  const inTime = <T>(work: Promise<T>): Promise<T> => within(work, context.timeoutMs, ended);
  const close = (one: CheckedProducer): Promise<void> => within(one.close(), context.timeoutMs, ended).catch(() => {});
  let producer = await createProducer(target, context);
  try {
    await inTime(producer.initIdempotentProducer({}));
  } catch (error) {
    await close(producer);
    throw new Error(reasonOf(error));
  }

  const sendBatch = async (batch: readonly StreamMessage[]): Promise<string | undefined> => {
    const messages = batch.map((message) => recordOf(topic, message, isAvro));
    try {
      await inTime(producer.send({ messages }));
      return undefined;
    } catch (error) {
      if (hasCode(error, UNKNOWN_TOPIC)) {
        const topics = [...new Set(messages.map((message) => message.topic))];
        throw new Error(`Unknown topic ${topics.slice(0, 3).join(' or ')}`);
      }
      const reason = reasonOf(error);
      if (!hasCode(error, REJECTED)) throw new Error(reason);
      // sequence numbers are uncertain after a failed request: brokers would drop other records as repeats
      await close(producer);
      producer = await createProducer(target, context);
      return reason;
    }
  };
  return {
    async send(messages) {
      const rejections = [];
      for (const batch of batchesOf(messages)) rejections.push(...(await sendHalving(batch, sendBatch)));
      return rejections;
    },
    async close() {
      end(new Error('the stream is closed'));
      await producer.close().catch(() => {});
    },
  };
};

async function createProducer({ url, options }: StreamTarget, context: StreamContext): Promise<CheckedProducer> {
  const target = new URL(url);
  const isSecure = target.protocol === 'kafkas:';
  const name = hostOf(target);
  const { resolve, timeoutMs } = context;
  /** A certificate is for the name, which `lookup` resolves; an address is checked here in any case. */
  const addressOf = async (host: string): Promise<string> => {
    const address = await resolve(host);
    return isSecure ? host : address;
  };
  const further = String(options['brokers'] ?? '')
    .split(',')
    .filter((one) => one !== '');
  const brokers = [target, ...further.map((one) => new URL(`kafka://${one}`))];
  const bootstrapBrokers = await Promise.all(
    brokers.map(async (one) => ({ host: await addressOf(hostOf(one)), port: Number(one.port || PORT) })),
  );
  const tls = { ...tlsOptions(name, options), ...lookupBy(resolve) };
  return new CheckedProducer(
    {
      clientId: String(options['clientId'] ?? 'fleetgate'),
      bootstrapBrokers,
      connectTimeout: timeoutMs,
      timeout: timeoutMs,
      retryDelay: RETRY_MS,
      acks: ProduceAcks.ALL,
      idempotent: true,
      serializers: { key: noBytes, value: (bytes) => bytes, headerKey: noBytes, headerValue: noBytes },
      ...saslOf(target, options),
      ...(isSecure ? { tls, tlsServerName: isIP(name) === 0 } : {}),
    },
    addressOf,
  );
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Keys and headers are in the encoded record. */
const noBytes = (): undefined => undefined;

const MOST_KEYS = 100_000;
let hashes = new Map<string, number>();

/** As Kafka's own producers; the client's default takes the hash as unsigned number. It divides by the number of partitions. */
function partitionOf(key: string | undefined): number {
  if (key === undefined) return randomInt(PARTITIONS);
  let hash = hashes.get(key);
  if (hash === undefined) {
    hash = murmur2(Buffer.from(key)) & 0x7fff_ffff;
    if (hashes.size >= MOST_KEYS) hashes = new Map();
    hashes.set(key, hash);
  }
  return hash;
}

const [ID, TYPE, TENANT, CONTENT_TYPE, AVRO_SCHEMA] = ['id', 'type', 'tenant', 'content-type', 'avro-schema'].map(
  (name) => Buffer.from(name),
) as [Buffer, Buffer, Buffer, Buffer, Buffer];
const JSON_EVENT = Buffer.from('application/cloudevents+json');
const AVRO = Buffer.from('application/avro');

/** The timestamp is that of the sending: brokers delete records by it, and events may be old. */
function recordOf(topic: string, message: StreamMessage, isAvro: boolean) {
  const { id, kind, tenant, device, body } = message;
  const head = [ID, id, TYPE, kind, TENANT, tenant, CONTENT_TYPE];
  const record = (value: string | Buffer, ...rest: readonly (string | Buffer)[]) => ({
    topic: topicOf(topic, message, /[^A-Za-z0-9._-]/g),
    partition: partitionOf(device),
    value: encodeRecord({ key: device, value, headers: [...head, ...rest] }),
  });
  if (!isAvro) return record(body, JSON_EVENT);
  const { value, fingerprint } = avroOf(message);
  return record(value, AVRO, AVRO_SCHEMA, fingerprint);
}

/** Parts that brokers accept at once, in order. */
function batchesOf(messages: readonly StreamMessage[]): StreamMessage[][] {
  const batches: StreamMessage[][] = [];
  let left = 0;
  for (const message of messages) {
    const bytes = Buffer.byteLength(message.body) + RECORD_BYTES;
    if (bytes > left || batches.length === 0) {
      batches.push([]);
      left = BATCH_BYTES;
    }
    batches.at(-1)!.push(message);
    left -= bytes;
  }
  return batches;
}

function saslOf(target: URL, options: StreamOptions) {
  const { username, password } = credentialsOf(target, options);
  if (username === undefined) return {};
  const mechanism = String(options['mechanism'] ?? SASLMechanisms.SCRAM_SHA_512) as SASLMechanismValue;
  return { sasl: { mechanism, username, password: password ?? '' } };
}

/** Records are encoded here. Brokers name each other: every address is checked before it is connected to, and no other one is used. */
class CheckedProducer extends Producer<string, Buffer, string, string> {
  readonly #addressOf: StreamContext['resolve'];

  constructor(options: ProducerOptions<string, Buffer, string, string>, addressOf: StreamContext['resolve']) {
    super(options);
    // the client sets it to infinity for idempotent producers: the reason would never be known
    this[kOptions].retries = RETRIES;
    this.#addressOf = addressOf;
  }

  override [kGetApi]<Arguments extends unknown[], Answer>(
    name: string,
    callback: Callback<API<Arguments, Answer>>,
  ): void {
    super[kGetApi]<Arguments, Answer>(name, (error, api) => {
      if (name !== 'Produce' || error) return callback(error, api);
      const own = produceApi(api.version) as unknown as API<Arguments, Answer> | undefined;
      // the client's own call would store a record within a record
      if (own === undefined) callback(new UserError(`Produce ${api.version} is not supported`), api);
      else callback(error, own);
    });
  }

  override [kGetConnection](broker: Broker, callback: CallbackWithPromise<Connection>): void {
    const answer = callback as (error: Error | null, connection?: Connection) => void;
    const connected = (error: Error | null, connection?: Connection): void => answer(ofClient(error), connection);
    this.#addressOf(broker.host).then(
      (host) => super[kGetConnection]({ host, port: broker.port }, connected as CallbackWithPromise<Connection>),
      (cause: Error) => answer(new UserError(cause.message, { cause })),
    );
  }
}

/**
 * The client calls a method of its own errors. That of connections which were closed meanwhile is another one: the exception
 * would end the process.
 */
function ofClient(error: Error | null): Error | null {
  return error === null || 'findBy' in error ? error : new UserError(error.message, { cause: error });
}

const lookupBy = (resolve: StreamContext['resolve']): { readonly lookup: LookupFunction } => ({
  lookup: (name, options, found) => {
    resolve(name).then(
      (address) => {
        const family = isIP(address);
        if (options.all === true) found(null, [{ address, family }]);
        else found(null, address, family);
      },
      (error: NodeJS.ErrnoException) => found(error, []),
    );
  },
});

/** Its errors are by partition: those that had none are undefined. */
function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  const { apiId, errors = [] } = (error ?? {}) as { readonly apiId?: string; readonly errors?: readonly unknown[] };
  return (apiId !== undefined && codes.has(apiId)) || errors.some((one) => hasCode(one, codes));
}

/** The first cause: the errors around it say only which request failed. */
function reasonOf(error: unknown): string {
  const { errors, cause, message } = error as Partial<AggregateError>;
  const first = errors?.find((one) => one !== undefined);
  if (first !== undefined) return reasonOf(first);
  return cause === undefined ? String(message) : reasonOf(cause);
}
