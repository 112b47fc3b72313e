import pg from 'pg';
import { type Hosts, NoHostError } from './hosts.ts';

type Done = (error: Error) => void;

/** Members of pg's client and connection that their types lack. */
interface Internals {
  host: string;
  port: number;
  readonly connection: NodeJS.EventEmitter & { readonly stream: { destroy(): void } };
}

/**
 * The class of clients that connect to the host of the wanted kind. PostgreSQL reports `in_hot_standby` and
 * `default_transaction_read_only` at the start of a session: a former primary that is a standby by now is refused, and the
 * hosts are asked again at the next attempt.
 */
export function hostClientOf(hosts: Hosts): typeof pg.Client {
  return class HostClient extends pg.Client {
    readonly #reported = new Map<string, string>();

    constructor(config?: string | pg.ClientConfig) {
      super(config);
      internalsOf(this).connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
        this.#reported.set(parameterName, parameterValue);
      });
    }

    override connect(): Promise<pg.Client>;
    override connect(done: Done): void;
    override connect(done?: Done): Promise<pg.Client> | undefined {
      const connecting = this.#connect();
      if (done === undefined) return connecting;
      connecting.then(
        () => (done as (error?: Error) => void)(),
        (error: Error) => done(error),
      );
      return undefined;
    }

    async #connect(): Promise<pg.Client> {
      const url = await hosts.find();
      const internals = internalsOf(this);
      const { hostname, port, searchParams } = new URL(url);
      internals.host = searchParams.get('host') ?? hostname.replace(/^\[|\]$/g, '');
      internals.port = Number((searchParams.get('port') ?? port) || 5432);
      try {
        await super.connect();
      } catch (error) {
        hosts.failed(url);
        throw error;
      }
      if (
        !hosts.accepts({
          isStandby: this.#isOn('in_hot_standby'),
          isReadOnly: this.#isOn('default_transaction_read_only'),
        })
      ) {
        hosts.failed(url);
        await this.end().catch(() => {});
        throw new NoHostError('the host of the database has another role by now');
      }
      const unwatch = hosts.watch(url, () => internals.connection.stream.destroy());
      this.once('end', () => {
        unwatch();
        // the next connection asks again: servers that are stopped are often replaced
        hosts.failed(url);
      });
      return this;
    }

    #isOn(name: string): boolean {
      return this.#reported.get(name) === 'on';
    }
  };
}

const internalsOf = (client: pg.Client): Internals => client as unknown as Internals;
