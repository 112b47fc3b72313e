import { type ConfirmChannel, connect, credentials, type Message } from 'amqplib';
import { createEnd, within } from '../../../platform/deadline.ts';
import { halveRefused } from '../../../platform/halving.ts';
import type { OpenSender, Rejection, StreamMessage } from './message.ts';
import { credentialsOf, tlsOptions } from './tls.ts';
import { topicOf } from './topics.ts';

const EXCHANGE = 'fleetgate';
const ROUTING_KEY = '{tenant}.{device}.{kind}';
const HEARTBEAT_S = 10;
/** AMQP reply code if the broker closes the channel because of a message, for example an oversized one */
const PRECONDITION_FAILED = 406;

/** AMQP 0-9-1 with publisher confirms: persistent messages to a topic exchange. */
export const openAmqp: OpenSender = async ({ url, topic = ROUTING_KEY, options }, context) => {
  const exchange = String(options['exchange'] ?? EXCHANGE);
  const isMandatory = options['mandatory'] !== false;
  let connection = await openConnection(url, options, context);
  const prepare = async (): Promise<void> => {
    const { channel } = connection;
    // a configured exchange is not declared: it belongs to another application
    if (options['exchange'] === undefined) await channel.assertExchange(exchange, 'topic', { durable: true });
    else await channel.checkExchange(exchange);
  };
  const inTime = <T>(work: Promise<T>): Promise<T> => within(work, context.timeoutMs, connection.ended);
  const start = async (): Promise<void> => {
    try {
      await inTime(prepare());
    } catch (error) {
      await connection.close();
      throw error;
    }
  };
  await start();

  const publish = (message: StreamMessage): Promise<void> => {
    const { id, kind, tenant, device, at, body } = message;
    const properties = {
      messageId: id,
      type: kind,
      contentType: 'application/cloudevents+json',
      deliveryMode: 2,
      timestamp: Math.floor(at / 1_000),
      appId: 'fleetgate',
      mandatory: isMandatory,
      headers: device === undefined ? { tenant } : { tenant, device },
    };
    const key = topicOf(topic, message, /[.*#\s]/g);
    return new Promise((resolve, reject) => {
      connection.channel.publish(exchange, key, Buffer.from(body), properties, (error: Error | null) => {
        if (error === null) resolve();
        else reject(error);
      });
    });
  };
  /** Only messages that cannot be routed to a queue are rejected; the others are stored. */
  const sendBatch = async (batch: readonly StreamMessage[], unroutable: Rejection[]) => {
    const returned = new Map<string, string>();
    const onReturn = ({ properties, fields }: Message): void => {
      const { replyText, routingKey } = fields as { replyText?: string; routingKey: string };
      returned.set(`${properties.type} ${properties.messageId}`, `${replyText ?? 'NO_ROUTE'}: ${routingKey}`);
    };
    connection.channel.on('return', onReturn);
    try {
      await inTime(Promise.all(batch.map(publish)));
    } catch (error) {
      if (connection.rejection() === undefined) throw error;
      const reason = connection.rejection();
      await connection.close();
      connection = await openConnection(url, options, context);
      await start();
      return reason;
    } finally {
      connection.channel.off('return', onReturn);
    }
    for (const message of batch) {
      const reason = returned.get(`${message.kind} ${message.id}`);
      if (reason !== undefined) unroutable.push({ message, reason });
    }
    return undefined;
  };
  return {
    async send(messages) {
      const unroutable: Rejection[] = [];
      const rejected: Rejection[] = [];
      await halveRefused(
        messages,
        (batch) => sendBatch(batch, unroutable),
        (message, reason) => void rejected.push({ message, reason }),
      );
      return [...unroutable, ...rejected];
    },
    close: () => connection.close(),
  };
};

interface AmqpConnection {
  readonly channel: ConfirmChannel;
  readonly ended: Promise<never>;
  /** the broker's reason for closing the channel because of a message, or undefined */
  rejection(): string | undefined;
  close(): Promise<void>;
}

async function openConnection(
  url: string,
  options: Parameters<OpenSender>[0]['options'],
  { resolve, timeoutMs }: Parameters<OpenSender>[1],
): Promise<AmqpConnection> {
  const target = new URL(url);
  const isSecure = target.protocol === 'amqps:';
  const { username, password = '' } = credentialsOf(target, options);
  const hasCertificate = username === undefined && options['cert'] !== undefined;
  const { ended, end } = createEnd();
  const client = await connect(
    {
      protocol: isSecure ? 'amqps' : 'amqp',
      hostname: await resolve(target.hostname),
      port: Number(target.port || (isSecure ? 5671 : 5672)),
      vhost: target.pathname.slice(1),
      heartbeat: HEARTBEAT_S,
      ...(username === undefined ? {} : { username, password }),
    },
    {
      timeout: timeoutMs,
      noDelay: true,
      ...(hasCertificate ? { credentials: credentials.external() } : {}),
      ...(isSecure ? tlsOptions(target.hostname, options) : {}),
    },
  );
  let rejection: string | undefined;
  client.on('error', (error: Error) => end(error));
  client.on('close', () => end(new Error('the connection was closed')));
  const close = async (): Promise<void> => {
    end(new Error('the stream is closed'));
    await within(client.close(), timeoutMs, ended).catch(() => {});
  };
  try {
    const channel = await within(client.createConfirmChannel(), timeoutMs, ended);
    channel.on('error', (error: Error & { code?: number }) => {
      if (error.code === PRECONDITION_FAILED && error.message.includes('message size')) rejection = error.message;
      end(error);
    });
    channel.on('close', () => end(new Error('the channel was closed')));
    return { channel, ended, rejection: () => rejection, close };
  } catch (error) {
    await close();
    throw error;
  }
}
