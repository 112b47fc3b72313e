import { openAmqp } from './amqp.ts';
import { openHttp } from './http.ts';
import { openKafka } from './kafka.ts';
import type { OpenSender } from './message.ts';
import { openMqtt } from './mqtt.ts';
import { openNats } from './nats.ts';
import { openRedis } from './redis.ts';

export {
  type OpenSender,
  type Rejection,
  STREAM_KINDS,
  type StreamContext,
  type StreamKind,
  type StreamMessage,
  type StreamOptions,
  type StreamSender,
  type StreamTarget,
} from './message.ts';

interface StreamTypeDescription {
  readonly open: OpenSender;
  /** schemes of the URL */
  readonly schemes: readonly string[];
  /** names of the options that it has */
  readonly options: readonly string[];
}

const TLS = ['ca', 'cert', 'key'];
const LOGIN = ['username', 'password'];

export const STREAM_TYPES = {
  http: { open: openHttp, schemes: ['http', 'https'], options: ['token', 'batchSize'] },
  amqp: { open: openAmqp, schemes: ['amqp', 'amqps'], options: [...LOGIN, ...TLS, 'exchange', 'mandatory'] },
  kafka: {
    open: openKafka,
    schemes: ['kafka', 'kafkas'],
    options: [...LOGIN, ...TLS, 'brokers', 'clientId', 'mechanism'],
  },
  mqtt: {
    open: openMqtt,
    schemes: ['mqtt', 'mqtts'],
    options: [...LOGIN, ...TLS, 'clientId', 'retained', 'homeAssistant'],
  },
  nats: { open: openNats, schemes: ['nats', 'tls'], options: [...LOGIN, ...TLS, 'token'] },
  redis: { open: openRedis, schemes: ['redis', 'rediss'], options: [...LOGIN, ...TLS, 'maxLength'] },
} as const satisfies Record<string, StreamTypeDescription>;

export type StreamType = keyof typeof STREAM_TYPES;
export const STREAM_TYPE_NAMES = Object.keys(STREAM_TYPES) as [StreamType, ...StreamType[]];

/** The type that a URL's scheme belongs to. */
export function typeOfUrl(url: string): StreamType | undefined {
  const scheme = /^([a-z]+):\/\//.exec(url)?.[1] ?? '';
  return STREAM_TYPE_NAMES.find((type) => (STREAM_TYPES[type].schemes as readonly string[]).includes(scheme));
}
