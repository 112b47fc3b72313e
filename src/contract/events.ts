import { z } from 'zod';
import { deviceId, positionRecord } from './position.ts';
import { type SetAsideRequest, setAsideReport } from './set-aside.ts';

/**
 * What a gateway reports: NDJSON, one of these a line, at most EVENT_LINES lines or EVENT_BYTES bytes a request, in
 * the order of `seq`. The key of a line is (gateway, spool, seq); a repeat changes nothing.
 */
export const EVENT_LINES = 1_000;
export const EVENT_BYTES = 1_048_576;

const at = z.number().int().nonnegative().describe('epoch ms by the clock of the gateway');
const conn = z.string().max(64).describe('the gateway’s own id of the connection: id of its run, a dot, a number');
const seq = z.number().int().positive();
const base64 = z.string().max(1_400_000);
const protocol = z.string().max(32);
const transport = z.enum(['tcp', 'udp', 'http']);
const frame = {
  seq,
  at,
  imei: deviceId.optional(),
  conn,
  protocol,
  transport,
  remote: z.string().max(64),
  bytes: base64,
};
const session = { seq, at, imei: deviceId, conn };
const link = { protocol, transport, remote: z.string().max(64) };
const delivery = { ...session, commandId: z.string().max(64), attempt: z.number().int().positive() };

export const gatewayEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('position'), seq, position: positionRecord }),
  /** raw bytes of a frame whose messages come as events of their own */
  z.object({ type: z.literal('frame'), ...frame }),
  /** verified, but of unknown type: stored so that a later version can decode it */
  z.object({ type: z.literal('frame-undecoded'), ...frame, code: z.string().max(64), detail: z.string().max(500) }),
  z.object({ type: z.literal('heartbeat'), ...session }),
  z.object({
    type: z.literal('file'),
    ...session,
    name: z.string().max(200),
    media: z.enum(['image', 'video', 'audio', 'other']),
    offset: z.number().int().nonnegative(),
    total: z.number().int().nonnegative().optional(),
    bytes: base64,
    last: z.literal(true).optional(),
  }),
  z.object({
    type: z.literal('session-opened'),
    ...session,
    ids: z.array(deviceId).max(8),
    protocol,
    transport,
    remote: z.string().max(64),
  }),
  /** first event of a gateway's run: the spool holds the events of earlier runs before it, and their connections are closed */
  z.object({ type: z.literal('gateway-started'), seq, at, life: z.string().regex(/^[A-Za-z0-9_-]{1,32}$/) }),
  /** each second: all that happened before `at` stands before it */
  z.object({ type: z.literal('clock'), seq, at }),
  z.object({ type: z.literal('session-closed'), ...session, reason: z.string().max(100) }),
  /** `conn` has replaced the open session of another connection */
  z.object({
    type: z.literal('session-taken-over'),
    ...session,
    ...link,
    previous: z.object({ conn, ...link }),
  }),
  /** the login of a registered device was rejected; at most once a minute and device */
  z.object({
    type: z.literal('login-refused'),
    ...session,
    ...link,
    reason: z.enum(['network', 'protocol', 'certificate', 'password', 'takeover']),
  }),
  /** the login of an unregistered device was rejected */
  z.object({ type: z.literal('knock'), seq, at, imei: deviceId, protocol, remote: z.string().max(64) }),
  /** durable before the first byte is written: a delivery without this event has written nothing */
  z.object({ type: z.literal('sent'), ...delivery }),
  /** the device's TCP stack has taken the bytes; all there is where devices never answer */
  z.object({ type: z.literal('taken'), ...delivery }),
  /** nothing was written; `permanent`: the protocol of the device cannot encode it, so it is not retried */
  z.object({
    type: z.literal('not-sent'),
    ...delivery,
    reason: z.string().max(200),
    permanent: z.literal(true).optional(),
  }),
  z.object({
    type: z.literal('answer'),
    ...session,
    ticket: z.string().max(64).optional(),
    outcome: z.enum(['done', 'refused']),
    text: z.string().max(65_536).optional(),
    bytes: base64.optional(),
    /** it names another command than the one that was written last on the connection */
    namesOther: z.literal(true).optional(),
  }),
]);

export type GatewayEvent = z.output<typeof gatewayEvent>;

/** An event before the spool has given it its seq; positions travel as their own text. */
export type UnnumberedEvent = GatewayEvent extends infer E ? (E extends GatewayEvent ? Omit<E, 'seq'> : never) : never;

/** Answer to a batch of events. `rejected` lines were not applied and are to be set aside. */
export const eventsAnswer = z.object({
  lastSeq: z.number().int().nonnegative(),
  rejected: z.array(z.object({ seq, code: z.string(), detail: z.string() })),
});

/** most frames of a gateway's sample */
const UNADMITTED_FRAMES = 1_000;

/** A frame of a connection without an admitted device: one of a bounded sample that a gateway keeps in memory. */
export const unadmittedFrame = z.object({
  at,
  conn,
  protocol,
  transport,
  remote: z.string().max(64),
  /** `unidentified`: the connection has not said which device it is; otherwise why its login was not accepted */
  reason: z.enum(['unidentified', 'refused', 'unsure', 'invalid-id']),
  imei: deviceId.optional().describe('device id of the login'),
  size: z.number().int().nonnegative().describe('bytes of the frame'),
  bytes: z.string().max(400).describe('first 256 bytes, base64'),
});
export type UnadmittedFrame = z.output<typeof unadmittedFrame>;

/** Presence, leased for 30 s: `connections` whole after each connect of the downlink, absent when only renewed. */
export const presence = z.object({
  clock: at,
  connections: z
    .array(z.object({ conn, imei: deviceId, protocol, transport, remote: z.string().max(64), since: at }))
    .optional(),
  /** the whole sample, where it has changed */
  unadmittedFrames: z.array(unadmittedFrame).max(UNADMITTED_FRAMES).optional(),
  /** whole, where it has changed */
  setAside: setAsideReport.optional(),
  /** records in the spool that the API has not got yet */
  waiting: z.number().int().nonnegative().optional(),
  /** the gateway stops in order: the lease ends at once */
  stopping: z.literal(true).optional(),
});

/** A login that may replace a session on another gateway. */
export const sessionQuery = z.object({ imei: deviceId, conn, ...link });
export type SessionQuery = z.output<typeof sessionQuery>;

/** Sessions that a gateway looks up in one request. */
export const SESSION_QUERIES = 500;

/** An open session of a device on another gateway. */
const otherSession = z.object({
  imei: deviceId,
  transport,
  remote: z.string(),
  silentMs: z.number().int().nonnegative().describe('since the device was last heard'),
});

/** Answer of POST /v1/internal/sessions. */
export const otherSessions = z.object({ items: z.array(otherSession) });
export type OtherSession = z.output<typeof otherSession>;

/** Lines of the held stream from API to gateway. */
export type DownlinkLine =
  | { readonly type: 'hello'; readonly now: number }
  /** part of the complete device list; devices that are missing at `devices-end` are not registered */
  | { readonly type: 'devices'; readonly devices: readonly DeviceEntry[] }
  | { readonly type: 'devices-end' }
  | { readonly type: 'device'; readonly device: DeviceEntry }
  | { readonly type: 'device-removed'; readonly imei: string }
  /** devices that are not admitted even if unknown ones are: removed by hand, or blocked; before `devices-end`, and on change */
  | { readonly type: 'devices-refused'; readonly imeis: readonly string[] }
  | { readonly type: 'ping'; readonly now: number }
  | Delivery
  /** no longer to be written, if it has not been */
  | { readonly type: 'withdraw'; readonly commandId: string; readonly attempt: number }
  | SessionTakenOver
  | SetAsideRequest
  /** the connection is dead, or its answers can no longer be matched to commands */
  | { readonly type: 'close'; readonly conn: string; readonly reason: string };

/** A connection to another gateway has replaced the session of a device on `conn`. */
export interface SessionTakenOver {
  readonly type: 'taken-over';
  readonly imei: string;
  readonly conn: string;
  readonly by: {
    readonly conn: string;
    readonly protocol: string;
    readonly transport: z.output<typeof transport>;
    readonly remote: string;
  };
}

/** A command for a device on one of the gateway's connections. */
export interface Delivery {
  readonly type: 'deliver';
  readonly commandId: string;
  /** counts from 1; a delivery that is repeated with the same attempt is written once */
  readonly attempt: number;
  readonly imei: string;
  /** the connection that it is for; on another one it is not sent */
  readonly conn: string;
  /** command type of the protocol; `custom` has the parameter `data` */
  readonly command: string;
  readonly params: Readonly<Record<string, string | number | boolean>>;
  /** bytes as they are, in place of command and params */
  readonly hex?: string;
  /** 1 to 65535, unique among the device's open commands */
  readonly ticket: string;
}

export interface DeviceEntry {
  readonly imei: string;
  /** protocol of its first session */
  readonly protocol?: string;
  /** model, time zone, password, protocol options */
  readonly options?: Readonly<Record<string, string | number | boolean>>;
}
