import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Installation } from './installation.ts';
import type { Candidates, FaultKind } from './plan.ts';

/** Ends the fault. */
type Restore = () => Promise<void> | void;

interface Subject {
  kill?(): Promise<Restore>;
  pause?(): Promise<Restore>;
  partition?(): Restore;
  fill?(): Restore;
}

/** The parts of the installation by name, with what can be done to each. */
export function subjectsOf(installation: Installation): ReadonlyMap<string, Subject> {
  const { apis, gateways, kafka, postgres, redis, haproxy } = installation;
  const subjects = new Map<string, Subject>();
  const add = (name: string, subject: Subject): void => void subjects.set(name, subject);
  for (const [n, { process, toDatabase }] of apis.entries()) {
    add(`API ${n + 1}`, { ...processFaults(process), partition: () => partition([toDatabase]) });
  }
  for (const [n, { process, toApis, folder, hasOwnDisk }] of gateways.entries()) {
    add(`gateway ${n + 1}`, {
      ...processFaults(process),
      partition: () => partition(toApis),
      ...(hasOwnDisk && { fill: () => fill(folder) }),
    });
  }
  add(
    'primary',
    programFaults(async () => postgres.primary()),
  );
  add(
    'standby',
    programFaults(async () => {
      const primary = await postgres.primary();
      return postgres.members.find((member) => member !== primary);
    }),
  );
  add(
    'etcd',
    programFaults(async () => postgres.etcd),
  );
  add(
    'Redis master',
    programFaults(() => redis.master()),
  );
  add(
    'HAProxy',
    programFaults(async () => haproxy),
  );
  for (let n = 0; n < 3; n++) {
    add(`broker ${n + 1}`, {
      async kill() {
        await kafka.kill(n);
        return () => kafka.startBroker(n);
      },
    });
  }
  return subjects;
}

/** `only`: a text that their names have. */
export function candidatesOf(subjects: ReadonlyMap<string, Subject>, only: string): Candidates {
  const having = (kind: FaultKind): string[] =>
    [...subjects].flatMap(([name, subject]) =>
      subject[kind] === undefined || !`${kind} ${name}`.includes(only) ? [] : [name],
    );
  return { kill: having('kill'), pause: having('pause'), partition: having('partition'), fill: having('fill') };
}

const processFaults = (process: Installation['apis'][number]['process']): Subject => ({
  async kill() {
    await process.kill();
    return () => process.start();
  },
  async pause() {
    process.signal('SIGSTOP');
    return () => process.signal('SIGCONT');
  },
});

interface Stoppable {
  start(): void;
  signal(name: NodeJS.Signals): void;
  kill(): Promise<void>;
  /** Ends a pause, where that takes more than SIGCONT. */
  resume?(): Promise<void>;
}

const programFaults = (find: () => Promise<Stoppable | undefined>): Subject => {
  const found = async (): Promise<Stoppable> => {
    const program = await find();
    if (program === undefined) throw new Error('the part was not found');
    return program;
  };
  return {
    async kill() {
      const program = await found();
      await program.kill();
      return () => program.start();
    },
    async pause() {
      const program = await found();
      program.signal('SIGSTOP');
      return () => (program.resume === undefined ? program.signal('SIGCONT') : program.resume());
    },
  };
};

function partition(gates: readonly { partition(): void; heal(): void }[]): Restore {
  for (const gate of gates) gate.partition();
  return () => {
    for (const gate of gates) gate.heal();
  };
}

/** Fills the disk up to a last page. */
function fill(folder: string): Restore {
  const { bavail, bsize } = statfsSync(folder);
  const file = join(folder, 'filler');
  writeFileSync(file, Buffer.alloc(Math.max(0, (bavail - 1) * bsize)));
  return () => rmSync(file);
}
