import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer, Wait } from 'testcontainers';

/** A server in a container, with a port on loopback. */
export interface ContainerServer {
  readonly url: string;
  stop(): Promise<void>;
}

const PASSWORD = 'password-of-a-test';

/** PostgreSQL of this image. What tests write need not survive a power cut. */
export async function startPostgresContainer(image: string): Promise<ContainerServer> {
  const settings = ['fsync=off', 'max_connections=500', 'shared_buffers=64MB'];
  const container = await new GenericContainer(image)
    .withEnvironment({ POSTGRES_PASSWORD: PASSWORD })
    .withCommand(['postgres', ...settings.flatMap((setting) => ['-c', setting])])
    .withExposedPorts(5432)
    .withWaitStrategy(Wait.forLogMessage('database system is ready to accept connections'))
    .start();
  const url = `postgresql://postgres:${PASSWORD}@${container.getHost()}:${container.getMappedPort(5432)}/postgres`;
  // The official image runs a first server, without a port, and stops it.
  while (!(await accepts(url))) await wait(50);
  return { url, stop: async () => void (await container.stop()) };
}

/** Redis or Valkey of this image at a port of the host that it keeps when it is started again. */
export class StoreContainer {
  readonly #image: string;
  readonly #port: number;
  readonly #args: readonly string[];
  #container: StartedTestContainer | undefined;

  constructor(image: string, port: number, args: readonly string[]) {
    this.#image = image;
    this.#port = port;
    this.#args = args;
  }

  async start(): Promise<void> {
    if (this.#container !== undefined) return (await this.#inEngine()).start();
    this.#container = await new GenericContainer(this.#image)
      .withCommand([...this.#args])
      .withExposedPorts({ container: 6379, host: this.#port })
      .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
      .start();
  }

  async kill(): Promise<void> {
    const container = await this.#inEngine();
    if ((await container.inspect()).State.Running) await container.kill({ signal: 'SIGKILL' });
  }

  async stop(): Promise<void> {
    await (await this.#inEngine()).remove({ force: true, v: true });
  }

  async #inEngine() {
    return (await getContainerRuntimeClient()).container.getById(this.#container!.getId());
  }
}

async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
