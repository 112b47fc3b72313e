import { JetStreamApiError, jetstream } from '@nats-io/jetstream';
import { connect, headers, type NodeConnectionOptions } from '@nats-io/transport-node';
import { createEnd, within } from '../../../platform/deadline.ts';
import type { OpenSender, Rejection, StreamMessage } from './message.ts';
import { credentialsOf, tlsOptions } from './tls.ts';
import { topicOf } from './topics.ts';

const SUBJECT = 'fleetgate.{tenant}.{device}.{kind}';
const PORT = 4222;
/** JetStream error code: message size exceeds the maximum of the stream */
const MESSAGE_TOO_LARGE = 10054;

/** NATS JetStream: each message is acknowledged by the stream that stores it. */
export const openNats: OpenSender = async ({ url, topic = SUBJECT, options }, { resolve, timeoutMs }) => {
  const target = new URL(url);
  const address = await resolve(target.hostname);
  const host = address.includes(':') ? `[${address}]` : address;
  const { username, password } = credentialsOf(target, options);
  const token = options['token'];
  const settings: NodeConnectionOptions = {
    name: 'fleetgate',
    servers: `${host}:${target.port || PORT}`,
    reconnect: false,
    // cluster addresses from the server are not checked, so they are not used
    ignoreClusterUpdates: true,
    timeout: timeoutMs,
    tls: target.protocol === 'tls:' ? tlsOptions(target.hostname, options) : null,
    ...(username === undefined ? {} : { user: username }),
    ...(password === undefined ? {} : { pass: password }),
    ...(token === undefined ? {} : { token: String(token) }),
  };
  const connection = await connect(settings);
  const { ended, end } = createEnd();
  connection.closed().then((error) => end(error ?? new Error('the connection was closed')), end);
  const stream = jetstream(connection, { timeout: timeoutMs });
  const largest = connection.info?.max_payload ?? Number.POSITIVE_INFINITY;

  const publish = async (message: StreamMessage): Promise<Rejection[]> => {
    const { id, kind, tenant, device, body } = message;
    const head = headers();
    for (const [name, value] of Object.entries({ id, type: kind, tenant, device })) {
      if (value !== undefined) head.set(name, value);
    }
    head.set('content-type', 'application/cloudevents+json');
    const subject = topicOf(topic, message, /[.*>\s]/g);
    try {
      // a position and its alarm share an id
      await stream.publish(subject, body, { msgID: `${kind}:${id}`, headers: head });
      return [];
    } catch (error) {
      if ((error as Error).name === 'JetStreamNotEnabled')
        throw new Error(`no JetStream stream stores the subject ${subject}`);
      const isTooLarge = error instanceof JetStreamApiError && error.code === MESSAGE_TOO_LARGE;
      if (!isTooLarge && Buffer.byteLength(body) < largest) throw error;
      return [{ message, reason: (error as Error).message }];
    }
  };
  /**
   * One message per device at a time: if the leader of a replicated stream changes between two messages, the second
   * may be stored without the first.
   */
  const sendInOrder = async (messages: readonly StreamMessage[]): Promise<Rejection[]> => {
    const rejections: Rejection[] = [];
    for (const message of messages) rejections.push(...(await publish(message)));
    return rejections;
  };
  return {
    async send(messages) {
      const byDevice = new Map<string, StreamMessage[]>();
      for (const message of messages) {
        const key = `${message.tenant} ${message.device ?? ''}`;
        const others = byDevice.get(key);
        if (others === undefined) byDevice.set(key, [message]);
        else others.push(message);
      }
      const work = Promise.all([...byDevice.values()].map(sendInOrder));
      return (await within(work, timeoutMs, ended)).flat();
    },
    async close() {
      end(new Error('the stream is closed'));
      await connection.close().catch(() => {});
    },
  };
};
