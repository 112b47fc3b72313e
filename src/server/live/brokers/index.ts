import { openHttp } from './http.ts';
import type { OpenSender, StreamKind, StreamTarget } from './message.ts';
import { openRedis } from './redis.ts';
import { openEgts, openWialon, problemsOfEgts, problemsOfWialon, type TargetProblem } from './retransmission/index.ts';

export {
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
  /** names of its options */
  readonly options: readonly string[];
  /** kinds of which a stream carries exactly one; undefined if all kinds are possible */
  readonly oneOf?: readonly StreamKind[];
  readonly problemsOf?: (target: StreamTarget) => readonly TargetProblem[];
}

const TLS = ['ca', 'cert', 'key'];
const LOGIN = ['username', 'password'];
/** An alarm is a position: both kinds in one stream would send it twice. */
const POSITIONS = ['position', 'alarm'] as const;

/** Broker clients are loaded at first use, since they consist of hundreds of modules. */
export const STREAM_TYPES = {
  http: { open: openHttp, schemes: ['http', 'https'], options: ['token', 'batchSize'] },
  amqp: {
    open: async (target, context) => (await import('./amqp.ts')).openAmqp(target, context),
    schemes: ['amqp', 'amqps'],
    options: [...LOGIN, ...TLS, 'exchange', 'mandatory'],
  },
  kafka: {
    open: async (target, context) => (await import('./kafka.ts')).openKafka(target, context),
    schemes: ['kafka', 'kafkas'],
    options: [...LOGIN, ...TLS, 'brokers', 'clientId', 'mechanism', 'format'],
  },
  mqtt: {
    open: async (target, context) => (await import('./mqtt.ts')).openMqtt(target, context),
    schemes: ['mqtt', 'mqtts'],
    options: [...LOGIN, ...TLS, 'clientId', 'retained', 'homeAssistant'],
  },
  nats: {
    open: async (target, context) => (await import('./nats.ts')).openNats(target, context),
    schemes: ['nats', 'tls'],
    options: [...LOGIN, ...TLS, 'token'],
  },
  wialon: {
    open: openWialon,
    schemes: ['wialon', 'wialons'],
    options: ['password', ...TLS, 'protocol', 'inFlight', 'connections'],
    oneOf: POSITIONS,
    problemsOf: problemsOfWialon,
  },
  egts: {
    open: openEgts,
    schemes: ['egts', 'egtss'],
    options: [...TLS, 'identity', 'dispatcherId', 'dispatcherType', 'objects', 'resultCode', 'inFlight', 'connections'],
    oneOf: POSITIONS,
    problemsOf: problemsOfEgts,
  },
  redis: { open: openRedis, schemes: ['redis', 'rediss'], options: [...LOGIN, ...TLS, 'maxLength'] },
} as const satisfies Record<string, StreamTypeDescription>;

export type StreamType = keyof typeof STREAM_TYPES;
export const STREAM_TYPE_NAMES = Object.keys(STREAM_TYPES) as [StreamType, ...StreamType[]];

/** The type that a URL's scheme belongs to. */
export function typeOfUrl(url: string): StreamType | undefined {
  const scheme = /^([a-z]+):\/\//.exec(url)?.[1] ?? '';
  return STREAM_TYPE_NAMES.find((type) => (STREAM_TYPES[type].schemes as readonly string[]).includes(scheme));
}

/** Validates the target and the kinds of a stream; returns the problems. */
export function problemsOfStream(type: StreamType, target: StreamTarget, kinds: readonly string[]): TargetProblem[] {
  const { oneOf, problemsOf }: StreamTypeDescription = STREAM_TYPES[type];
  const problems = [...(problemsOf?.(target) ?? [])];
  if (oneOf !== undefined && (kinds.length !== 1 || !(oneOf as readonly string[]).includes(kinds[0]!))) {
    problems.push({ pointer: '/kinds', detail: `${type} carries one of ${oneOf.join(', ')}` });
  }
  return problems;
}
