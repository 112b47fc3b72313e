/** Keyed by what, and by which constant, setting or other number its entries are limited. */
interface Kept {
  readonly key: string;
  readonly bound: string;
}

/**
 * `call`: of an object or function that serves one call, batch or round; `constant`: filled when the module is loaded, or
 * never.
 */
type Life = 'call' | 'constant' | Kept;

/** Every Map and Set that may outlive a request, by file and name. docs/security.md says of caches who reaches what is in them. */
export const longLived: Readonly<Record<string, Readonly<Record<string, Life>>>> = {
  'src/platform/incidents.ts': {
    '#open': { key: 'text, reason and subject of a warning', bound: 'maxOpen; removed after quietMs without it' },
  },
  'src/server/kernel/http/refusals.ts': {
    lines: { key: 'address of a client', bound: 'LINES; cleared each minute' },
  },
  'src/platform/readiness.ts': { failing: { key: 'name of a check', bound: 'one per check of the process' } },
  'src/apps/supervisor.ts': { '#ready': { key: 'name of a process of the supervisor', bound: 'api and gateway' } },

  'src/gateway/connection/intake.ts': { NO_DEVICES: 'constant' },
  'src/gateway/counters.ts': { '#byProtocol': { key: 'protocol', bound: 'one per protocol' } },
  'src/gateway/net/tcp.ts': {
    '#connections': { key: 'connection', bound: 'one per open connection, MAX_CONNECTIONS' },
    '#preambles': { key: 'socket', bound: 'one per open connection, MAX_CONNECTIONS' },
  },
  'src/gateway/net/tls.ts': { '#servers': { key: 'TLS server', bound: 'one per device port' } },
  'src/gateway/net/udp.ts': {
    '#peers': { key: 'port and remote address', bound: 'MAX_CONNECTIONS; removed after udpOnlineMs of silence' },
  },
  'src/gateway/sessions/admission.ts': {
    '#devices': { key: 'device id', bound: 'one per registered device' },
    '#refused': { key: 'device id', bound: 'one per device that was removed or blocked' },
  },
  'src/gateway/sessions/deliveries.ts': {
    '#taken': { key: 'command, attempt and connection', bound: 'MAX_REMEMBERED_DELIVERIES' },
    '#withdrawn': { key: 'command and attempt', bound: 'MAX_REMEMBERED_DELIVERIES' },
  },
  'src/gateway/sessions/rejected-logins.ts': {
    '#clients': {
      key: 'transport and network of a client',
      bound: 'MAX_CLIENTS, each with the setting’s number of ids',
    },
  },
  'src/gateway/sessions/remote-sessions.ts': {
    '#known': {
      key: 'device id',
      bound: 'registered devices; removed at the first request FRESH_MS after the answer',
    },
  },
  'src/gateway/sessions/sessions.ts': {
    '#lastRejection': { key: 'rejected device id', bound: 'MAX_REPORTS' },
    '#links': { key: 'device id', bound: 'registered devices and MAX_UNREGISTERED_SESSIONS' },
  },
  'src/gateway/sessions/unadmitted-frames.ts': {
    '#byAddress': { key: 'IP address', bound: 'UNADMITTED_FRAMES' },
  },
  'src/gateway/spool/lock-socket.ts': {
    '#sockets': {
      key: 'socket of an operator’s request',
      bound: 'open connections to a socket that only the owner of the folder can open',
    },
  },
  'src/gateway/spool/set-aside-index.ts': {
    '#records': { key: 'sequence number', bound: 'SET_ASIDE_MAX_BYTES' },
    '#replays': { key: 'sequence number of a replay', bound: 'SET_ASIDE_MAX_BYTES' },
  },
  'src/gateway/spool/spool.ts': {
    '#cursors': { key: 'target', bound: 'one per target' },
    '#setAside': { key: 'target', bound: 'one per target' },
    '#missing': { key: 'target', bound: 'one per target' },
    '#damage': { key: 'path and offset', bound: 'damaged stretches of the files on the disk' },
  },

  'src/platform/batcher.ts': {
    batchers: { key: 'tenant, and restricted user', bound: 'tenants and users with a look-up in flight' },
  },
  'src/platform/recently-used.ts': { entries: { key: 'of the caller', bound: '`most` of the caller' } },
  'src/platform/zone.ts': {
    zones: { key: 'name of a time zone in Intl', bound: 'MAX_CACHED_ZONES' },
    known: { key: 'quarter of an hour, and day, for each zone', bound: 'MAX_CACHED_QUARTERS, MAX_CACHED_DAYS' },
  },

  'src/server/alerts/evaluation/evaluator.ts': {
    states: { key: 'rule and device', bound: 'MAX_STATES, and those of one round' },
  },
  'src/server/alerts/evaluation/round.ts': { changed: 'call', lateReports: 'call' },
  'src/server/alerts/evaluation/rule-index.ts': {
    byKey: { key: 'kind of rule and device', bound: 'devices of rules; read again when rules change' },
    groups: { key: 'device', bound: 'devices with reports; read again when rules change' },
    starts: { key: 'rule and device', bound: 'as above' },
    types: { key: 'kind of rule', bound: 'one per kind' },
  },
  'src/server/alerts/messaging/handler.ts': {
    hosts: { key: 'host of a receiver', bound: 'CONCURRENCY of the channel' },
  },
  'src/server/alerts/messaging/index.ts': {
    listeners: { key: 'listener', bound: 'one per queue board' },
    opened: { key: 'channel', bound: 'one per channel' },
  },
  'src/server/commands/api/routes.ts': {
    all: { key: 'listener of a waiting request', bound: 'one per open request with `wait`' },
  },
  'src/server/commands/api/target.ts': { cached: { key: 'tenant and device id', bound: 'MAX_CACHED' } },
  'src/server/commands/dispatch/engine.ts': {
    '#waiters': { key: 'command', bound: 'one per open request with `wait`' },
    waiters: { key: 'listener of a command', bound: 'one per open request with `wait`' },
  },
  'src/server/commands/dispatch/queue/index.ts': { '#opened': { key: 'listener', bound: 'one per queue board' } },
  'src/server/commands/dispatch/queue/postgres.ts': { nothing: 'constant' },
  'src/server/commands/dispatch/queue/reconciler.ts': { ids: 'call' },
  'src/server/commands/dispatch/queue/redis.ts': { reconnected: { key: 'listener', bound: 'one per queue' } },
  'src/server/commands/dispatch/streams.ts': {
    '#senders': { key: 'gateway', bound: 'gateways with an open stream' },
    senders: { key: 'stream of a gateway', bound: 'open streams' },
  },
  'src/server/commands/dispatch/unit-of-work.ts': {
    '#commands': 'call',
    '#first': 'call',
    '#holds': 'call',
    '#ofDevice': 'call',
    free: 'call',
  },
  'src/server/compat/traccar/ids/service.ts': {
    known: { key: 'tenant, kind and id of a record', bound: 'MAX_CACHED_IDS, and those of one request' },
  },
  'src/server/compat/traccar/sign-in/service.ts': {
    accessTokens: { key: 'session', bound: 'MAX_CACHED_TOKENS' },
    basics: { key: 'HMAC of user name, password and address', bound: 'MAX_CACHED_TOKENS' },
  },
  'src/server/compat/traccar/socket.ts': {
    '#devices': { key: 'device id, for each connection and access token', bound: 'devices that the user sees' },
  },
  'src/server/console/application.ts': { assets: 'constant' },
  'src/server/console/overview.ts': {
    kept: { key: 'tenant; never of a restricted user', bound: 'one per tenant' },
  },
  'src/server/console/queue-board.ts': { shown: { key: 'part of the server', bound: 'commands and messages' } },
  'src/server/database/host-client.ts': {
    '#reported': { key: 'parameter that PostgreSQL reports', bound: 'those of PostgreSQL, for each connection' },
  },
  'src/server/database/hosts.ts': {
    watched: { key: 'URL of a host of the database', bound: 'hosts of the setting' },
    cuts: { key: 'connection', bound: 'one per connection of the pools' },
  },
  'src/server/database/listener.ts': { channels: { key: 'channel', bound: 'channels of the code' } },
  'src/server/database/peers.ts': {
    heard: { key: 'id of an API process', bound: 'processes of the last MISSED intervals' },
  },
  'src/server/devices/directory/directory.ts': {
    known: { key: 'device id', bound: 'MAX_CACHED_DEVICES, and those of one batch' },
  },
  'src/server/devices/gateways/downlink.ts': { open: { key: 'stream', bound: 'open streams of gateways' } },
  'src/server/devices/gateways/set-aside/service.ts': {
    waiting: { key: 'id of a request', bound: 'open requests, ANSWER_MS each' },
  },
  'src/server/devices/registry/service.ts': { known: { key: 'tenant', bound: 'one per tenant' } },
  'src/server/devices/timeline/frames.ts': { contents: 'call', decoders: 'call', opened: 'call' },
  'src/server/fleet/vehicles/routes.ts': { NOTHING: 'constant' },
  'src/server/history/files/cache.ts': {
    '#entries': {
      key: 'path of a file of the history',
      bound: 'HISTORY_CACHE_MB on the disk, files in use, and files that could not be read',
    },
  },
  'src/server/history/files/tally.ts': {
    open: { key: 'number of a running tally', bound: 'running statements of DuckDB' },
  },
  'src/server/history/known.ts': { NONE: 'constant' },
  'src/server/ingest/batches/partitions.ts': {
    made: {
      key: 'name of a partition',
      bound: 'MONTHS_BACK_MS or DAYS_BACK_MS to AHEAD_MS, and one more each month or day',
    },
  },
  'src/server/ingest/batches/positions/clocks.ts': { NONE: 'constant', devices: 'call' },
  'src/server/ingest/batches/positions/known.ts': { '#keys': 'call' },
  'src/server/ingest/batches/positions/places.ts': { NONE: 'constant' },
  'src/server/ingest/batches/positions/write.ts': { NONE: 'constant' },
  'src/server/ingest/batches/statements.ts': { seen: 'call' },
  'src/server/ingest/feed/index.ts': { followers: { key: 'follower', bound: 'followers of the code' } },
  'src/server/ingest/feed/recent.ts': { entries: { key: 'sequence number of an entry', bound: 'RECENT_ROWS' } },
  'src/server/ingest/feed/shards.ts': { held: { key: 'follower', bound: 'followers of the code' } },
  'src/server/ingest/redecode/service.ts': { connections: 'call' },
  'src/server/kernel/auth/credentials.ts': { cache: { key: 'digest of a credential', bound: 'MAX_CACHED_TOKENS' } },
  'src/server/kernel/auth/internal-tokens.ts': {
    used: {
      key: 'id of a gateway’s signed assertion',
      bound: 'accepted assertions of four times ASSERTION_SECONDS',
    },
  },
  'src/server/kernel/auth/login/limits.ts': {
    refused: { key: 'digest of an account and an address', bound: 'MAX_REFUSED_PAIRS' },
  },
  'src/server/kernel/auth/recovery/service.ts': {
    onTheirWay: { key: 'recovery that is being started', bound: 'until the mail is sent; PER_HOUR_AND_ADDRESS' },
  },
  'src/server/kernel/auth/tokens/credential-status.ts': {
    kept: { key: 'tenant, user, session and key', bound: 'MAX_CACHE_ENTRIES' },
  },
  'src/server/kernel/budgets/index.ts': {
    changed: { key: 'budget and key', bound: 'keys that were counted in EVERY_MS' },
    entries: { key: 'credential, address or account, for each budget', bound: 'MAX_KEYS' },
  },
  'src/server/kernel/usage/counters.ts': {
    '#all': { key: 'user or device, for each day and tenant', bound: 'users and registered devices of the day' },
    '#days': { key: 'day', bound: 'until the counts of a day that has ended are taken' },
  },
  'src/server/live/brokers/kafka.ts': { hashes: { key: 'device id', bound: 'MAX_KEYS' } },
  'src/server/live/brokers/mqtt.ts': {
    isDiscovered: { key: 'device id, for each open stream', bound: 'devices of the tenant' },
  },
  'src/server/live/brokers/retransmission/egts/receipts.ts': {
    packets: { key: 'number of a packet', bound: '65,536: two bytes' },
    records: { key: 'number of a record', bound: '65,536: two bytes' },
  },
  'src/server/live/brokers/retransmission/sessions.ts': {
    busy: { key: 'device id, for each open stream', bound: 'AT_ONCE' },
    sessions: { key: 'device id, for each open stream', bound: 'CONNECTIONS, unless the stream sets another number' },
  },
  'src/server/live/callbacks/sender.ts': { inFlight: { key: 'running delivery', bound: 'AT_ONCE' } },
  'src/server/live/events/hub.ts': {
    NO_VEHICLES: 'constant',
    '#clients': { key: 'client', bound: 'LIVE_CLIENTS' },
    '#subscribers': { key: 'device', bound: 'one per registered device; dropped each BEAT_MS' },
  },
  'src/server/live/events/source.ts': {
    identities: { key: 'device', bound: 'MAX_CACHED_DEVICES, and those of one entry' },
  },
  'src/server/live/streams/cloud-event.ts': {
    common: { key: 'kind of event and name of a tenant', bound: 'kinds of each tenant' },
  },
  'src/server/live/streams/runner.ts': {
    tenants: { key: 'tenant', bound: 'one per tenant' },
    workers: { key: 'stream', bound: 'streams that this process holds' },
  },
  'src/server/movement/api/aggregates.ts': { '#byKey': 'call', '#vehicles': 'call' },
  'src/server/movement/api/fuel-used.ts': { totals: 'call' },
  'src/server/movement/places/geocoder.ts': {
    known: { key: 'language and position, 4 decimals', bound: 'GEOCODER_CACHE' },
  },
  'src/server/movement/places/places.ts': { numbersOf: { key: 'language', bound: 'languages of the code' } },
  'src/server/tachograph/engine/layout/text.ts': {
    decoders: { key: 'code page', bound: 'CODE_PAGES' },
    reversed: { key: 'code page', bound: 'CODE_PAGES' },
  },
  'src/server/compat/mcp/sessions.ts': { sessions: { key: 'session', bound: 'MCP_SESSIONS' } },
  'src/server/fleet/presence/reader.ts': { known: { key: 'tenant', bound: 'MOST_TENANTS' } },
  'src/server/fleet/counters/reader.ts': { days: 'call' },
  'src/server/tachograph/engine/reports/driver-days.ts': { '#places': 'call', '#stays': 'call' },
  'src/server/tachograph/engine/rules/repayments.ts': { '#known': 'call', '#used': 'call' },
  'src/server/tachograph/engine/timeline/build.ts': {
    '#cards': 'call',
    '#conditions': 'call',
    '#conflicts': 'call',
    '#distances': 'call',
    '#files': 'call',
    '#minutes': 'call',
    '#switches': 'call',
    '#ranks': 'call',
    '#units': 'call',
    '#versions': 'call',
    seen: 'call',
  },
  'src/server/tachograph/engine/timeline/card-days.ts': { '#days': 'call' },
  'src/server/tachograph/engine/timeline/trust.ts': { dates: 'call' },
  'src/server/tachograph/engine/timeline/zone.ts': {
    zones: { key: 'name of a time zone in Intl', bound: 'MAX_ZONES' },
    spellings: { key: 'name of a time zone as it was spelled', bound: 'MAX_SPELLINGS' },
    known: { key: 'day or date, for each zone', bound: 'MAX_DAYS' },
  },
  'src/server/tachograph/engine/transport/cabotage.ts': { '#last': 'call' },
  'src/server/tachograph/engine/vu/parse.ts': { '#whole': 'call' },
  'src/server/tachograph/reader/turns.ts': { lines: { key: 'tenant', bound: 'tenants with waiting jobs' } },
  'src/server/tachograph/uploads/index.ts': { running: { key: 'running upload', bound: 'DDD_UPLOADS_AT_ONCE' } },
};
