import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Feed, Shards } from '../../feed/index.ts';
import type { History } from '../../history/index.ts';
import type { Budgets } from '../../platform/budgets/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Outbound } from '../../platform/outbound/index.ts';
import type { Database } from '../../platform/postgres/index.ts';
import type { Secrets } from '../../platform/secrets/index.ts';
import type { SingleSignOnSettings } from '../../platform/single-sign-on-settings.ts';
import type { InstallationStream } from '../../platform/stream-settings.ts';
import type { WriteAnchors } from '../audit/index.ts';
import type { FirstPasswordFile, SendMail } from '../auth/index.ts';
import type { CommandDispatcher, CommandKnowledge, PendingService } from '../commands/index.ts';
import type { CommandStreams } from '../gateways/index.ts';
import type { ReadinessCheck } from '../http/index.ts';
import type { CommandEvents } from '../ingest/index.ts';
import type { Backtest } from '../notifications/index.ts';
import type { AddressesOf } from '../places/index.ts';
import type { NameElements } from '../position-view/index.ts';
import type { ShownProtocol } from '../protocols/index.ts';
import type { TachographSettings } from '../tachograph/index.ts';
import type { FrameDecoder } from '../timeline/index.ts';

/** What of the settings the API goes by. */
export interface ApiSettings extends TachographSettings, Partial<SingleSignOnSettings> {
  readonly API_KEY?: string | undefined;
  readonly INTERNAL_KEY?: string | undefined;
  /** file with the certificate chain; with it the API is served over HTTPS */
  readonly API_TLS_CERT?: string | undefined;
  readonly API_TLS_KEY?: string | undefined;
  readonly DEFAULT_TENANT: string;
  readonly TRUST_PROXY: number | readonly string[] | false;
  readonly RATE_LIMIT: number;
  /** limits of log-ins by address; a test may disable them */
  readonly limitsLogins?: boolean;
  readonly REQUEST_TIMEOUT_S?: number;
  readonly RETENTION_DAYS: number;
  readonly RAW_RETENTION_DAYS: number;
  readonly COMMAND_RETENTION_DAYS: number;
  readonly DEVICE_FILE_RETENTION_DAYS?: number;
  readonly WEBHOOK_PRIVATE: boolean;
  readonly WAKE_UP_URL?: string | undefined;
  readonly autoRegister: boolean;
  readonly autoRegisterPerHour: number;
  /** devices of a tenant that have never sent anything */
  readonly DEVICES_UNSEEN_PER_TENANT?: number;
  /** file with the authorities of device certificates */
  readonly TLS_CLIENT_CA?: string | undefined;
  readonly metricsPublic: boolean;
  readonly APP_MINIMUM_BUILD?: number;
  readonly VAPID_PUBLIC_KEY?: string | undefined;
  readonly SHARE_LINK_DAYS?: number;
  readonly SHARE_LINKS_PER_TENANT?: number;
  readonly REPORT_SCHEDULES_PER_TENANT?: number;
  readonly REPORT_ROWS?: number;
  /** longest interval of a backtest */
  readonly BACKTEST_DAYS?: number;
  readonly BACKTESTS_AT_ONCE?: number;
  /** event streams at a time */
  readonly LIVE_CLIENTS?: number;
  readonly FEED_KEPT_MINUTES?: number;
  /** between two writes of what was counted of a day */
  readonly USAGE_SECONDS?: number;
  readonly DISTANCE_DAYS?: number;
  /** serves clients that were made for Traccar */
  readonly COMPAT_TRACCAR?: boolean;
  readonly CLOCK_AHEAD_SECONDS?: number;
  readonly CLOCK_APART_DAYS?: number;
  /** open commands that a device may have */
  readonly OPEN_COMMANDS?: number;
  /** attributes of which a device's state has the last value, and the longest such value as JSON text */
  readonly STATE_ATTRIBUTES?: number;
  readonly STATE_VALUE_BYTES?: number;
  /** tiles of maps */
  readonly MAP_TILES?: string | undefined;
  readonly MAP_ATTRIBUTION?: string | undefined;
  /** installation-wide streams */
  readonly streams?: readonly InstallationStream[];
  readonly STREAMS_PER_TENANT?: number;
  readonly STREAM_TIMEOUT_MS?: number;
  readonly STREAM_BATCH?: number;
  readonly STREAM_DEAD_LETTERS?: number;
  /** ms between two reads of a command that a client waits for: other processes may not have announced its end */
  readonly commandPollMs?: number;
  /** the two placeholder operations */
  readonly diagnostics?: boolean;
}

export interface ApiDeps {
  readonly settings: ApiSettings;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  /** migrated, see openDatabase */
  readonly database: Database;
  /** encrypts secrets that the database stores */
  readonly secrets: Secrets;
  /** positions that are in files; without it all are rows */
  readonly history?: History;
  /** raw frames become files: they stay rows until they are in one */
  readonly movesFrames?: boolean;
  /** of all API processes; without it this one counts on its own */
  readonly budgets?: Budgets;
  /** of followers that several processes share; without it this process does all of their work */
  readonly shards?: Shards;
  readonly registry?: Registry;
  /** where heads of the audit trail are kept outside of the database */
  readonly auditAnchors?: readonly WriteAnchors[];
  /** where what happens is entered; shared with those who follow it in this process */
  readonly feed?: Feed;
  /**
   * Notifies users, by the rules of a type, of what a slice has found: a download that is due, an infringement. Called
   * again with the same key it notifies nobody twice. Returns the number of messages.
   */
  readonly notify?: (finding: {
    readonly tenantId: number;
    readonly type: 'ddd_due' | 'infringement' | 'maintenance';
    readonly key: string;
    /** epoch ms */
    readonly at: number;
    /** id of a vehicle; null where none is known */
    readonly vehicleId: string | null;
    readonly detail: string;
    /** key of the finding that this one corrects */
    readonly corrects?: string;
  }) => Promise<number>;
  /** evaluates a rule over stored positions */
  readonly backtest?: Backtest;
  /** without it there are no addresses */
  readonly addressesOf?: AddressesOf;
  /** what keeps the commands */
  readonly commands?: (CommandEvents & CommandStreams) | undefined;
  /** what moves them when people ask; without it there are no operations on commands */
  readonly dispatcher?: CommandDispatcher | undefined;
  /** what protocols take */
  readonly knowledge?: CommandKnowledge | undefined;
  /** how the server calls URLs that people gave it */
  readonly outbound?: Outbound;
  /** what stored frames mean; without it they are shown as bytes alone */
  readonly decodeFrame?: FrameDecoder;
  /** what devices may speak */
  readonly protocols?: readonly ShownProtocol[];
  /** what vendors call the elements of records; without it `include=named` adds nothing */
  readonly nameElements?: NameElements;
  /** key of the first run, entered into the key store */
  readonly firstRunKey?: string | undefined;
  /** of user `admin`, who is created at the first start */
  readonly adminPassword?: string | undefined;
  /** where the generated first password is kept, until it is replaced */
  readonly firstPasswordFile?: FirstPasswordFile | undefined;
  /** without it recovery sends nothing */
  readonly sendMail?: SendMail | undefined;
  /** the built worker that reads tachograph files; without it the one beside the code */
  readonly tachographWorker?: URL | undefined;
  /** pages for people, who log in to see them */
  readonly pages?: undefined | ((app: FastifyInstance, services: PageServices) => void);
  /** beside the database's */
  readonly extraChecks?: () => Promise<readonly ReadinessCheck[]>;
  readonly extraMetrics?: () => Promise<string>;
}

/** What pages know of a request and of commands. */
export interface PageServices {
  /** of the one who asks */
  tenantOf(request: FastifyRequest): number;
  may(request: FastifyRequest, scope: string): boolean;
  /** a tenant's pending commands, device by device, each with the reason why it has not been sent */
  readonly pending: Pick<PendingService, 'ofAll'>;
}
