import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../support/ports.ts';
import { Program, signalTree } from './process-tree.ts';
import { until } from './until.ts';

/** What a laboratory needs of the machine for PostgreSQL under Patroni. */
export interface PostgresPrograms {
  readonly etcd: string;
  readonly patroni: string;
  /** folder with `postgres`, `initdb`, `pg_basebackup`, `pg_rewind` */
  readonly bin: string;
  /** starts a program as a user that PostgreSQL accepts; empty where this process is no root */
  readonly asUser: readonly string[];
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
}

const PASSWORD = 'laboratory';

/** One PostgreSQL server with the Patroni process that supervises it. */
export class Member {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly #data: string;
  readonly #patroni: Program;

  constructor(name: string, ports: readonly [number, number], data: string, patroni: Program) {
    this.name = name;
    [this.port, this.restPort] = ports;
    this.#data = data;
    this.#patroni = patroni;
  }

  start(): void {
    this.#patroni.start();
  }

  signal(name: NodeJS.Signals): void {
    this.#patroni.signal(name);
    const postmaster = this.#postmaster();
    if (postmaster !== undefined) signalTree(postmaster, name);
  }

  /**
   * Ends a pause, and starts Patroni again: before version 3.1 it keeps an old copy of what is in etcd after one, and never
   * names a synchronous standby again (patroni/patroni#2779). PostgreSQL runs on meanwhile.
   */
  async resume(): Promise<void> {
    this.signal('SIGCONT');
    await this.#patroni.kill();
    this.#patroni.start();
  }

  /** kill -9 of Patroni and of every process of PostgreSQL */
  async kill(): Promise<void> {
    this.signal('SIGCONT');
    this.signal('SIGKILL');
    await this.#patroni.kill();
  }

  async role(): Promise<'primary' | 'standby' | 'none'> {
    try {
      const answer = await fetch(`http://127.0.0.1:${this.restPort}/patroni`, { signal: AbortSignal.timeout(2_000) });
      const { role, state } = (await answer.json()) as { role?: string; state?: string };
      if (state !== 'running') return 'none';
      return role === 'master' || role === 'primary' ? 'primary' : 'standby';
    } catch {
      return 'none';
    }
  }

  async isReplicating(): Promise<boolean> {
    try {
      const answer = await fetch(`http://127.0.0.1:${this.restPort}/synchronous`, {
        signal: AbortSignal.timeout(2_000),
      });
      return answer.status === 200;
    } catch {
      return false;
    }
  }

  #postmaster(): number | undefined {
    try {
      return Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
    } catch {
      return undefined;
    }
  }
}

/** etcd, and two PostgreSQL servers with synchronous replication under Patroni. */
export class PatroniCluster {
  readonly members: readonly Member[];
  readonly etcd: Program;

  private constructor(etcd: Program, members: readonly Member[]) {
    this.etcd = etcd;
    this.members = members;
  }

  static async start(folder: string, programs: PostgresPrograms): Promise<PatroniCluster> {
    const [client, peer] = [await freePort(), await freePort()];
    const command = etcdCommand(programs.etcd, join(folder, 'etcd'), client, peer);
    const members: Member[] = [];
    for (const name of ['postgres 1', 'postgres 2']) members.push(await createMember(name, folder, client, programs));
    const cluster = new PatroniCluster(new Program('etcd', command, join(folder, 'etcd.log')), members);
    try {
      cluster.etcd.start();
      await until(async () => (await fetch(`http://127.0.0.1:${client}/health`)).ok);
      for (const member of members) {
        member.start();
        // the first one makes the cluster
        await until(async () => (await member.role()) !== 'none');
      }
      await until(async () => (await cluster.primary()) !== undefined && (await cluster.hasStandby()));
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  async primary(): Promise<Member | undefined> {
    for (const member of this.members) if ((await member.role()) === 'primary') return member;
    return undefined;
  }

  /** of all members, for people */
  async roles(): Promise<string> {
    const roles = await Promise.all(this.members.map(async (member) => `${member.name} ${await member.role()}`));
    return roles.join(', ');
  }

  /** whether a synchronous standby confirms commits */
  async hasStandby(): Promise<boolean> {
    return (await Promise.all(this.members.map((member) => member.isReplicating()))).includes(true);
  }

  /** Makes the database through a port, as soon as a primary can be reached there; its URL. */
  async database(port: number): Promise<string> {
    const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}`;
    await until(async () => {
      const client = new pg.Client({ connectionString: `${url}/postgres` });
      try {
        await client.connect();
        const { rows } = await client.query(`select from pg_database where datname = 'fleetgate'`);
        if (rows.length === 0) await client.query('create database fleetgate');
        return true;
      } finally {
        await client.end();
      }
    });
    return `${url}/fleetgate`;
  }

  async stop(): Promise<void> {
    for (const member of this.members) await member.kill();
    await this.etcd.kill();
  }
}

async function createMember(name: string, folder: string, etcd: number, programs: PostgresPrograms): Promise<Member> {
  const { asUser, bin, owner, patroni } = programs;
  const home = join(folder, name.replace(' ', '-'));
  const file = join(home, 'patroni.json');
  const ports = [await freePort(), await freePort()] as const;
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(file, JSON.stringify(settings(name, home, ports, etcd, bin)));
  if (owner !== undefined) for (const path of [home, file]) chownSync(path, owner.uid, owner.gid);
  return new Member(name, ports, join(home, 'data'), new Program(name, [...asUser, patroni, file], `${home}.log`));
}

/** The same user and password at another port. */
export const atPort = (url: string, port: number): string => Object.assign(new URL(url), { port: String(port) }).href;

function etcdCommand(program: string, data: string, client: number, peer: number): string[] {
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
  return [
    program,
    '--name',
    'default',
    '--data-dir',
    data,
    '--listen-client-urls',
    clientUrl,
    '--advertise-client-urls',
    clientUrl,
    '--listen-peer-urls',
    peerUrl,
    '--initial-advertise-peer-urls',
    peerUrl,
    '--initial-cluster',
    `default=${peerUrl}`,
  ];
}

/** Patroni reads JSON as YAML. The times are the shortest that it accepts. */
const settings = (
  name: string,
  home: string,
  [port, restPort]: readonly [number, number],
  etcd: number,
  bin: string,
) => {
  const addressOf = (at: number) => ({ listen: `127.0.0.1:${at}`, connect_address: `127.0.0.1:${at}` });
  return {
    scope: 'fleetgate',
    name: name.replace(' ', '-'),
    restapi: addressOf(restPort),
    etcd3: { hosts: [`127.0.0.1:${etcd}`] },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, wal_log_hints: 'on' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      ...addressOf(port),
      data_dir: join(home, 'data'),
      bin_dir: bin,
      pgpass: join(home, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password: PASSWORD },
        replication: { username: 'replicator', password: PASSWORD },
      },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication all 127.0.0.1/32 scram-sha-256',
      ],
      parameters: { unix_socket_directories: home, shared_buffers: '64MB' },
    },
  };
};
