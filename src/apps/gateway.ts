import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Catalogue, loadCatalogue } from '../codec/catalogue/index.ts';
import type { SetAsideRequest } from '../contract/set-aside.ts';
import { Gateway, planPorts, type TlsSettings } from '../gateway/index.ts';
import { apiTarget, createPusher, type Pusher, pushTarget } from '../gateway/pusher/index.ts';
import { openSpool, type Spool } from '../gateway/spool/index.ts';
import { Downlink, SessionRegistry, Tokens } from '../gateway/uplink/index.ts';
import { apiConnector } from '../platform/api-connector.ts';
import { ApiEndpoints, parseApiUrls } from '../platform/api-endpoints.ts';
import { systemClock } from '../platform/clock.ts';
import { createLog, type Log } from '../platform/log.ts';
import { internalMetricsToken } from '../platform/metrics-access.ts';
import { type Check, checkOf } from '../platform/readiness.ts';
import { serveStatus } from '../platform/status-server.ts';
import { hurried, onStop, reportReady } from './child.ts';
import { type Config, ConfigError } from './config.ts';
import { gatewayIdOf } from './gateway-id.ts';
import { gatewayMetrics } from './gateway-metrics.ts';
import { createNames } from './names.ts';
import { addCertificateMetrics, addProcessMetrics } from './process-metrics.ts';
import { addReadinessMetric } from './readiness-metric.ts';
import { answerSetAside, SetAsideDesk } from './set-aside.ts';
import { spoolRecorder } from './spool-recorder.ts';

/**
 * Maximum waits of a stop in order: until received records are durable, until they are pushed, until connections are
 * closed.
 */
const SAFE_MS = 500;
const GOODBYE_MS = 500;
/** each: until the events of closed connections are durable, until they are pushed, until the API knows of the stop */
const LEAVE_MS = 300;
/** A request costs the API as much as some twenty lines: what follows within so many ms travels in one. */
const LINGER_MS = 16;

/** Runs the gateway until it is asked to stop. Rejects when it cannot start. */
export async function runGateway(config: Config): Promise<void> {
  const clock = systemClock;
  const log = createLog('gateway', config.LOG_LEVEL);
  const catalogue = await loadCatalogue();
  const ports = plan(config, catalogue);
  const folder = join(config.DATA_DIR, 'spool');
  const gatewayId = await gatewayIdOf(config);
  const api = new ApiEndpoints({
    urls: parseApiUrls(config.API_URL!),
    connector: apiConnector({ caFile: config.API_CA, serverName: config.API_SERVER_NAME }),
    gatewayId,
    log,
  });
  await api.start();
  const { INTERNAL_KEY: internalKey = '' } = config;
  const tokens = new Tokens({ ...apiOf(api), internalKey, gatewayId }, clock);

  const spool = await openSpool({
    folder,
    targets: config.PUSH_URL === undefined ? ['api'] : ['api', 'push'],
    syncMs: config.SPOOL_SYNC_MS,
    maxBytes: config.SPOOL_MAX_BYTES,
    minFreeBytes: config.SPOOL_MIN_FREE_BYTES,
    setAsideMaxBytes: config.SET_ASIDE_MAX_BYTES,
    clock,
    log,
  });
  const names = createNames(catalogue);
  const nameOf: NamePushed = ({ deviceId, protocol, attributes }) =>
    names(protocol, attributes, gateway.admission.optionsOf([deviceId]));
  const pushers = startPushers(config, { spool, tokens, log, api }, config.PUSH_NAMED ? nameOf : undefined);
  const recorder = spoolRecorder(spool, pushers[0]!, config.ACK_WHEN);
  const sessions = new SessionRegistry({
    ...apiOf(api),
    tokens,
    timeoutMs: config.SESSION_QUERY_TIMEOUT_MS,
    trouble: () => downlink.trouble,
  });
  const gateway = new Gateway({ ...settingsOf(config, ports), registry: sessions }, recorder, clock, log);
  const downlink = new Downlink({
    ...apiOf(api),
    tokens,
    clock,
    log,
    handleLine: (line) => void (line.type === 'set-aside' ? operateSetAside(line) : gateway.apply(line)),
    onInterrupted: () => gateway.admission.interrupted(),
    online: () => gateway.online(),
    unadmittedFrames: (whole) => gateway.unadmittedFrames.changes(clock.now(), whole),
    setAside: (whole) => desk.report(whole),
    waiting: () => undelivered(spool, pushers[0]!),
  });
  const desk = new SetAsideDesk(spool, config.SET_ASIDE_LISTED);
  const operateSetAside = (line: SetAsideRequest): Promise<void> => answerSetAside(line, desk, downlink, log);

  api.onMoved(() => {
    pushers[0]!.retryNow();
    downlink.reconnect();
  });

  let isStopping = false;
  const checks = (): Check[] => [
    { name: 'running', ok: !isStopping },
    ...portChecks(gateway),
    spoolCheck(spool),
    ...pushers.map(targetCheck),
    downlinkCheck(downlink),
  ];
  const registry = gatewayMetrics(gateway, spool, pushers);
  addReadinessMetric(registry, () => checks().map((check) => ({ ...check, name: `gateway: ${check.name}` })));
  addProcessMetrics(registry, { process: 'gateway', dataDir: config.DATA_DIR });
  addCertificateMetrics(registry, { TLS_CERT: config.TLS_CERT });
  await gateway.open();
  const status = await serveStatus(
    { host: config.HOST, port: config.PORT, metricsTokens: metricsTokensOf(config) },
    checks,
    registry,
  );
  downlink.start();
  onStop(async () => {
    const began = clock.monotonic();
    isStopping = true;
    const devices = gateway.onlineDevices;
    log.info(
      { devices, noticeS: config.DRAIN_NOTICE_S, closeS: config.DRAIN_CLOSE_S },
      'stopping: not ready any longer',
    );
    await hurried(config.DRAIN_NOTICE_S * 1000);
    gateway.stopAccepting();
    await gateway.closeInWaves(config.DRAIN_CLOSE_S * 1000, hurried);
    gateway.stopReading();
    await Promise.race([gateway.idle(), sleep(SAFE_MS)]);
    // devices that are acknowledged when the API has their records get the acknowledgement before they are closed
    const before = spool.lastSeq;
    const pushMs = Math.max(0, config.DRAIN_PUSH_S * 1000 - LEAVE_MS);
    await Promise.race([Promise.all(pushers.map((pusher) => pusher.delivered(before))), hurried(pushMs)]);
    await gateway.close(GOODBYE_MS);
    await Promise.race([gateway.idle(), sleep(LEAVE_MS)]);
    await Promise.all(pushers.map((pusher) => pusher.drain(LEAVE_MS)));
    const waiting = undelivered(spool, pushers[0]!);
    if (waiting > 0)
      log.warn({ waiting, spool: spool.id, folder }, 'records wait in the spool; the next start delivers them');
    await downlink.leave(LEAVE_MS);
    await api.stop();
    await spool.close();
    await status.close();
    const seconds = Math.round(clock.monotonic() - began) / 1000;
    log.info({ seconds, devices, waiting }, 'gateway stopped');
  });
  log.info({ gatewayId, spool: spool.id, ports: gateway.openPorts.length }, 'gateway ready');
  reportReady({ port: status.port, listens: describePorts(config, gateway) });
}

function plan(config: Config, catalogue: Catalogue): ReturnType<typeof planPorts> {
  try {
    return planPorts(
      { autoPort: config.AUTO_PORT, services: config.PROTOCOLS, servicePorts: config.servicePorts },
      catalogue.services,
    );
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigError([`PROTOCOLS, PORT_<SERVICE>: ${error.message}`]);
    throw error;
  }
}

/** Records that the target has neither accepted nor rejected; sequence numbers without a record count too. */
const undelivered = (spool: Spool, { target }: Pusher): number => Math.max(0, spool.lastSeq - spool.cursor(target).seq);

const apiOf = (api: ApiEndpoints) => ({ at: () => ({ apiUrl: api.url, dispatcher: api.dispatcher }) });

type NamePushed = NonNullable<Parameters<typeof pushTarget>[0]['named']>;

interface PusherParts {
  readonly spool: Spool;
  readonly tokens: Tokens;
  readonly log: Log;
  readonly api: ApiEndpoints;
}

/** The API's first, then any other target. */
function startPushers(config: Config, { spool, tokens, log, api }: PusherParts, name?: NamePushed): Pusher[] {
  const clock = systemClock;
  // A new token is requested only after the API has rejected the last one.
  let isFirst = true;
  const authorise = (): Promise<string> => {
    if (!isFirst) tokens.forget();
    isFirst = false;
    return tokens.get();
  };
  const pushers = [
    createPusher({
      spool,
      clock,
      log,
      lingerMs: LINGER_MS,
      target: apiTarget({ at: () => ({ apiUrl: api.url, connector: api.connector }), spool, authorise, clock, log }),
    }),
  ];
  if (config.PUSH_URL !== undefined) {
    const named = name === undefined ? {} : { named: name };
    const target = pushTarget({ name: 'push', url: config.PUSH_URL, token: config.PUSH_TOKEN, clock, ...named });
    pushers.push(createPusher({ spool, clock, log, target }));
  }
  return pushers;
}

function mirrorOf({ MIRROR_BUFFER_BYTES: bufferBytes }: Config, target: string) {
  const [host = '', port] = target.split(':');
  return { host, port: port === undefined ? undefined : Number(port), bufferBytes };
}

function settingsOf(config: Config, ports: ReturnType<typeof planPorts>): ConstructorParameters<typeof Gateway>[0] {
  return {
    host: config.GATEWAY_HOST,
    ports,
    limits: {
      maxConnections: config.MAX_CONNECTIONS,
      maxUnidentifiedPerAddress: config.MAX_UNIDENTIFIED_PER_ADDRESS,
      identifyTimeoutMs: config.IDENTIFY_TIMEOUT_S * 1000,
      idleTimeoutMs: config.IDLE_TIMEOUT_S * 1000,
      udpOnlineMs: config.UDP_ONLINE_S * 1000,
      maxJunkBytes: config.MAX_JUNK_BYTES,
      handshakeTimeoutMs: config.HANDSHAKE_TIMEOUT_S * 1000,
      requestTimeoutMs: config.REQUEST_TIMEOUT_S * 1000,
      framesPerSlice: config.FRAMES_PER_SLICE,
    },
    devicePolicy: {
      networks: config.DEVICE_NETWORKS,
      takeover: config.DEVICE_TAKEOVER,
      takeoverSilenceMs: config.DEVICE_TAKEOVER_SILENCE_S * 1000,
      pinProtocol: config.pinProtocol,
    },
    loginAttemptsPerAddress: config.loginAttemptsPerAddress,
    unadmittedFrames: { total: config.UNADMITTED_FRAMES, perAddress: config.UNADMITTED_FRAMES_PER_ADDRESS },
    autoRegister: config.autoRegister,
    proxyProtocol: config.PROXY_PROTOCOL,
    ...(config.MIRROR_TO === undefined ? {} : { mirror: mirrorOf(config, config.MIRROR_TO) }),
    lenientServices: config.LENIENT_CHECKSUM,
    ...(config.TLS_CERT === undefined ? {} : { tls: tlsOf(config, config.TLS_CERT) }),
  };
}

const tlsOf = (config: Config, cert: string): TlsSettings => ({
  cert,
  key: config.TLS_KEY!,
  required: config.TLS_REQUIRED,
  clientCa: config.TLS_CLIENT_CA,
});

const portChecks = (gateway: Gateway): Check[] => [
  { name: 'device ports', ok: gateway.openPorts.length > 0 },
  ...gateway.problems.map(({ name, transport, port, reason }) => ({
    name: `device port ${name} ${transport} ${port}`,
    ok: false,
    detail: reason,
  })),
];

const spoolCheck = ({ blocked }: Spool): Check =>
  checkOf({ name: 'spool', refused: 'every record: devices are not acknowledged, and send it again' }, blocked?.detail);

function targetCheck(pusher: Pusher): Check {
  const { target, trouble } = pusher.status();
  return checkOf(
    { name: `target ${target}`, required: false, refused: 'nothing; records wait in the spool' },
    trouble && `${trouble.code}: ${trouble.detail}`,
  );
}

/** Before the first time a gateway knows no device; later it acknowledges positions into its spool without the API. */
const downlinkCheck = ({ trouble, wasOpen }: Downlink): Check =>
  checkOf(
    {
      name: 'downlink',
      required: !wasOpen,
      refused: wasOpen ? 'commands wait; devices that are registered meanwhile are not admitted' : 'every device',
    },
    trouble,
  );

function describePorts(config: Config, gateway: Gateway): { what: string; where: string }[] {
  return gateway.openPorts.map(({ name, transport, port }) => ({
    what: `${name === 'auto' ? 'every protocol' : name} (${transport.toUpperCase()})`,
    where: `${config.GATEWAY_HOST}:${port}`,
  }));
}

/** The API of the installation, and clients with METRICS_TOKEN. */
function metricsTokensOf({ metricsPublic, METRICS_TOKEN, ...keys }: Config): readonly string[] | 'public' {
  if (metricsPublic) return 'public';
  const internal = [keys.INTERNAL_KEY, keys.INTERNAL_KEY_NEXT, keys.INTERNAL_KEY_PREVIOUS];
  const known = internal.filter((key) => key !== undefined).map(internalMetricsToken);
  return METRICS_TOKEN === undefined ? known : [...known, METRICS_TOKEN];
}
