import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect as connectNats } from '@nats-io/transport-node';
import { type ChannelModel, connect as connectAmqp } from 'amqplib';
import mqtt from 'mqtt';
import { until } from './until.ts';

/** What has come from a broker: ids of each device, each at its first occurrence, and how many records there were. */
export interface Arrivals {
  readonly devices: Map<string, Set<string>>;
  records: number;
}

/** Reads from a broker while it fails: it connects again, and what it has acknowledged does not come again. */
export interface Reader {
  readonly name: string;
  readonly arrivals: Arrivals;
  /** begins to read, once what it reads from is there */
  bind(): Promise<void>;
  close(): Promise<unknown>;
}

const QUEUE = 'all';
const STREAM = 'fleet';

function createArrivals(): Arrivals & { take(device: string, id: string): void } {
  const devices = new Map<string, Set<string>>();
  const arrivals = {
    devices,
    records: 0,
    take(device: string, id: string): void {
      arrivals.records++;
      const ids = devices.get(device) ?? new Set();
      devices.set(device, ids.add(id));
    },
  };
  return arrivals;
}

export const openReaders = async (urls: { amqp: string; mqtt: string; nats: string }): Promise<Reader[]> => [
  amqpReader(urls.amqp),
  mqttReader(urls.mqtt),
  natsReader(urls.nats),
];

function amqpReader(url: string): Reader {
  const arrivals = createArrivals();
  let client: ChannelModel | undefined;
  let isClosed = false;
  const read = async (): Promise<void> => {
    client = await connectAmqp(url);
    client.on('error', () => {});
    client.once('close', () => {
      if (!isClosed) void until(() => read().then(() => true));
    });
    const channel = await client.createChannel();
    channel.on('error', () => {});
    await channel.assertQueue(QUEUE, { durable: true });
    await channel.bindQueue(QUEUE, 'fleetgate', 'default.*.position');
    await channel.prefetch(500);
    await channel.consume(QUEUE, (message) => {
      if (message === null) return;
      const { messageId, headers } = message.properties;
      arrivals.take((headers as { device: string }).device, String(messageId));
      channel.ack(message);
    });
  };
  return {
    name: 'amqp',
    arrivals,
    bind: read,
    async close() {
      isClosed = true;
      await client?.close().catch(() => {});
    },
  };
}

/** A session that outlasts its connections. */
function mqttReader(url: string): Reader {
  const arrivals = createArrivals();
  const properties = { sessionExpiryInterval: 3_600, receiveMaximum: 1_000 };
  const client = mqtt.connect(url, {
    protocolVersion: 5,
    clientId: 'laboratory',
    clean: false,
    properties,
    reconnectPeriod: 200,
  });
  client.on('error', () => {});
  client.on('message', (topic, _payload, { properties: given }) => {
    arrivals.take(topic.split('/')[2]!, String(given?.userProperties?.['id']));
  });
  return {
    name: 'mqtt',
    arrivals,
    bind: async () => void (await client.subscribeAsync('fleetgate/default/+/position', { qos: 1 })),
    close: () => client.endAsync(true),
  };
}

function natsReader(server: string): Reader {
  const arrivals = createArrivals();
  let close = async (): Promise<void> => {};
  return {
    name: 'nats',
    arrivals,
    async bind() {
      const connection = await connectNats({ servers: server, maxReconnectAttempts: -1 });
      close = () => connection.close();
      const messages = await (await jetstream(connection).consumers.get(STREAM)).consume({ max_messages: 1_000 });
      void (async () => {
        for await (const message of messages) arrivals.take(message.headers!.get('device'), message.headers!.get('id'));
      })().catch(() => {});
    },
    close: () => close(),
  };
}

/** Makes the stream with three replicas; the number of the server that leads it. */
export async function prepareNats(servers: readonly string[]): Promise<number> {
  let leader = '';
  await until(async () => {
    const connection = await connectNats({ servers: servers[0]! });
    try {
      const manager = await jetstreamManager(connection);
      const made = { name: STREAM, subjects: ['fleetgate.>'], num_replicas: servers.length };
      leader = (await manager.streams.add(made)).cluster?.leader ?? '';
      return /^n\d$/.test(leader);
    } finally {
      await connection.close();
    }
  });
  return Number(leader.slice(1));
}
