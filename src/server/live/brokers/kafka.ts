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
import { createEnd, within } from '../../../platform/deadline.ts';
import { halveRefused } from '../../../platform/halving.ts';
import { avroOf } from './avro/message.ts';
import { encodeRecord, produceApi } from './kafka-records.ts';
import type { OpenSender, Rejection, StreamContext, StreamMessage, StreamOptions, StreamTarget } from './message.ts';
import { credentialsOf, tlsOptions } from './tls.ts';
import { topicOf } from './topics.ts';

const TOPIC = 'fleetgate';
const PORT = 9092;
/** Brokers accept 1,048,588 bytes for the records of a partition, unless `message.max.bytes` says otherwise. */
const BATCH_BYTES = 900_000;
/** key, headers and lengths of a record */
const RECORD_BYTES = 300;
/** upper bound of partitions for random keys of events without a device */
const PARTITIONS = 100_000;
const RETRIES = 3;
const RETRY_MS = 250;
const UNKNOWN_TOPIC = new Set(['UNKNOWN_TOPIC_OR_PARTITION']);
/** permanent Kafka errors, not retried */
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
      // after a failed request the sequence numbers are uncertain, and brokers might discard new records as duplicates
      await close(producer);
      producer = await createProducer(target, context);
      return reason;
    }
  };
  return {
    async send(messages) {
      const rejections: Rejection[] = [];
      for (const batch of batchesOf(messages)) {
        await halveRefused(batch, sendBatch, (message, reason) => void rejections.push({ message, reason }));
      }
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
  /**
   * With TLS the client connects by name, so that the certificate matches, and `lookup` resolves it to the checked
   * address.
   */
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

/** Serializers return nothing: key and headers are part of the encoded record. */
const noBytes = (): undefined => undefined;

const MAX_KEYS = 100_000;
let hashes = new Map<string, number>();

/**
 * Hash as in the Java producer (positive, not unsigned as in this client). The client takes it modulo the number of
 * partitions.
 */
function partitionOf(key: string | undefined): number {
  if (key === undefined) return randomInt(PARTITIONS);
  let hash = hashes.get(key);
  if (hash === undefined) {
    hash = murmur2(Buffer.from(key)) & 0x7fff_ffff;
    if (hashes.size >= MAX_KEYS) hashes = new Map();
    hashes.set(key, hash);
  }
  return hash;
}

const [ID, TYPE, TENANT, CONTENT_TYPE, AVRO_SCHEMA] = ['id', 'type', 'tenant', 'content-type', 'avro-schema'].map(
  (name) => Buffer.from(name),
) as [Buffer, Buffer, Buffer, Buffer, Buffer];
const JSON_EVENT = Buffer.from('application/cloudevents+json');
const AVRO = Buffer.from('application/avro');

/** The timestamp is the send time, since brokers delete records by timestamp and events may be old. */
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

/** Splits messages into batches within BATCH_BYTES, in order. */
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

/**
 * A producer that encodes records itself and checks every broker address from the cluster metadata before it
 * connects.
 */
class CheckedProducer extends Producer<string, Buffer, string, string> {
  readonly #addressOf: StreamContext['resolve'];

  constructor(options: ProducerOptions<string, Buffer, string, string>, addressOf: StreamContext['resolve']) {
    super(options);
    // the client retries forever for idempotent producers, so that an error would never be reported
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
      // the client's own Produce would encode the records again
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
 * Wraps errors in the client's error class: the client calls a method of it, and an exception on other errors (closed
 * connections) would end the process.
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

/** Errors are listed by partition; undefined for partitions without an error. */
function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  const { apiId, errors = [] } = (error ?? {}) as { readonly apiId?: string; readonly errors?: readonly unknown[] };
  return (apiId !== undefined && codes.has(apiId)) || errors.some((one) => hasCode(one, codes));
}

/** Message of the innermost cause; outer errors only name the request. */
function reasonOf(error: unknown): string {
  const { errors, cause, message } = error as Partial<AggregateError>;
  const first = errors?.find((one) => one !== undefined);
  if (first !== undefined) return reasonOf(first);
  return cause === undefined ? String(message) : reasonOf(cause);
}
