import { createLog } from '../../../../src/platform/log.ts';
import { DispatchEngine } from '../../../../src/server/commands/dispatch/engine.ts';
import {
  commandEventTypes,
  type DeviceEvent,
  type ProtocolKnowledge,
} from '../../../../src/server/commands/dispatch/unit-of-work.ts';
import { createDirectory } from '../../../../src/server/devices/directory/index.ts';
import { directoryStore } from '../../../../src/server/devices/directory/store.ts';
import {
  createIngestService,
  createPartitions,
  type IngestService,
} from '../../../../src/server/ingest/batches/index.ts';
import { recordLimits, testSettings } from '../../../support/settings.ts';
import type { DispatchWorld } from '../support.ts';
import { clock } from './clock.ts';

const log = createLog('test', 'silent');

/** What an API process is to gateways and services. Its sweeper runs when it is asked to. */
export class ApiProcess {
  readonly engine: DispatchEngine;
  readonly events: IngestService;

  constructor({ database }: DispatchWorld, protocols: ProtocolKnowledge) {
    const { ingest: pool, listener } = database;
    this.engine = new DispatchEngine({
      pool,
      listener,
      clock,
      log,
      protocols,
      openCommands: testSettings().OPEN_COMMANDS,
    });
    this.events = createIngestService({
      ...recordLimits(),
      pool,
      directory: createDirectory(directoryStore(pool, { tenantId: 1, perHour: 0 }), listener),
      positionMonths: createPartitions(pool, 'position', clock.now),
      timelineDays: createPartitions(pool, 'timeline', clock.now),
      clock,
      autoRegister: false,
      defaultTenantId: 1,
      onRefused: () => {},
      commands: {
        eventTypes: commandEventTypes,
        load: (tx, gateway, events, touched) =>
          this.engine.load(tx, gateway, events as readonly DeviceEvent[], touched),
      },
    });
  }
}
