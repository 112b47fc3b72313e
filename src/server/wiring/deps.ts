import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Check } from '../../platform/readiness.ts';
import type { Samples } from '../../platform/samples.ts';
import type { Backtest } from '../alerts/notifications/index.ts';
import type { CommandDispatcher, CommandKnowledge, PendingService } from '../commands/api/index.ts';
import type { Database } from '../database/index.ts';
import type { CommandStreams } from '../devices/gateways/index.ts';
import type { ShownProtocol } from '../devices/protocols/index.ts';
import type { FrameDecoder } from '../devices/timeline/index.ts';
import type { History } from '../history/index.ts';
import type { CommandEvents } from '../ingest/batches/index.ts';
import type { Feed, Shards } from '../ingest/feed/index.ts';
import type { WriteAnchors } from '../kernel/audit/index.ts';
import type { FirstPasswordFile, SendMail } from '../kernel/auth/index.ts';
import type { Budgets } from '../kernel/budgets/index.ts';
import type { Outbound } from '../kernel/outbound/index.ts';
import type { Secrets } from '../kernel/secrets/index.ts';
import type { AddressesOf, SearchAddress } from '../movement/places/index.ts';
import type { NameElements } from '../positions/view/index.ts';
import type { ApiSettings } from '../settings.ts';

export interface ApiDeps {
  readonly settings: ApiSettings;
  readonly version: string;
  /** limits of log-ins by address, on by default; a test may disable them */
  readonly limitsLogins?: boolean;
  /** ms between two reads of a command that a client waits for: other processes may not have announced its end */
  readonly commandPollMs?: number;
  readonly clock: Clock;
  readonly log: Log;
  /** migrated, see openDatabase */
  readonly database: Database;
  /** encrypts secrets that the database stores */
  readonly secrets: Secrets;
  /** positions in files; without it all positions are rows */
  readonly history?: History;
  /** raw frames are moved to files: they stay rows until then */
  readonly movesFrames?: boolean;
  /** counters that all API processes share; without them this process counts alone */
  readonly budgets?: Budgets;
  /** shards of followers that several processes share; without them this process follows all shards */
  readonly shards?: Shards;
  readonly registry?: Registry;
  /** reads of metrics in the database */
  readonly samples?: Samples;
  /** destinations of the chain heads of the audit trail, outside of the database */
  readonly auditAnchors?: readonly WriteAnchors[];
  /** the feed, shared with its followers in this process */
  readonly feed?: Feed;
  /**
   * Notifies users by the rules of a type of a finding, such as a download that is due or an infringement. A second
   * call with the same key sends nothing. Returns the number of messages.
   */
  readonly notify?: (finding: {
    readonly tenantId: number;
    readonly type: 'ddd_due' | 'infringement' | 'maintenance' | 'maintenance_due' | 'driver_changed' | 'driver_unknown';
    readonly key: string;
    /** epoch ms */
    readonly at: number;
    /** id of a vehicle; null if unknown */
    readonly vehicleId: string | null;
    readonly detail: string;
    /** key of the finding that this one corrects */
    readonly corrects?: string;
  }) => Promise<number>;
  /** evaluates a rule over stored positions */
  readonly backtest?: Backtest;
  /** reverse geocoding; without it positions have no addresses */
  readonly addressesOf?: AddressesOf;
  /** where an address is; without it there is no search by address */
  readonly searchAddress?: SearchAddress;
  /** stores and delivers commands */
  readonly commands?: (CommandEvents & CommandStreams) | undefined;
  /** applies requests of users to commands; without it there are no operations on commands */
  readonly dispatcher?: CommandDispatcher | undefined;
  /** commands that protocols support */
  readonly knowledge?: CommandKnowledge | undefined;
  /** requests to URLs that users have given */
  readonly outbound?: Outbound;
  /** decodes stored frames; without it they are shown as bytes */
  readonly decodeFrame?: FrameDecoder;
  /** supported protocols */
  readonly protocols?: readonly ShownProtocol[];
  /** names that vendors give to elements; without them `include=named` adds nothing */
  readonly nameElements?: NameElements;
  /** API key of the first run, added to the stored keys */
  readonly firstRunKey?: string | undefined;
  /** password of user `admin`, who is created at the first start */
  readonly adminPassword?: string | undefined;
  /** file with the generated first password, until that is replaced */
  readonly firstPasswordFile?: FirstPasswordFile | undefined;
  /** sends mails; without it recovery of passwords sends nothing */
  readonly sendMail?: SendMail | undefined;
  /** built worker for tachograph files; the one beside the code unless given */
  readonly tachographWorker?: URL | undefined;
  /** adds pages for users who have logged in */
  readonly pages?: undefined | ((app: FastifyInstance, services: PageServices) => void);
  /** readiness checks in addition to that of the database */
  readonly extraChecks?: () => Promise<readonly Check[]>;
  readonly extraMetrics?: () => Promise<string>;
}

/** Functions for pages: the tenant and scopes of a request, and pending commands. */
export interface PageServices {
  /** tenant of the caller */
  tenantOf(request: FastifyRequest): number;
  may(request: FastifyRequest, scope: string): boolean;
  /** a tenant's pending commands by device, each with the reason why it has not been sent */
  readonly pending: Pick<PendingService, 'ofAll'>;
}
