import { createReadStream, createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import { AppError } from '../../../platform/errors.ts';
import type { Measured } from './storage.ts';

export interface S3Settings {
  /** `https://host:port` of a store other than Amazon's */
  readonly endpoint: string | undefined;
  /** the bucket stands in the path of URLs, not in the host name */
  readonly pathStyle: boolean;
  readonly region: string | undefined;
  /** without them: files of the user, web identity, or the role of the machine, as the client finds them */
  readonly credentials:
    | { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string }
    | undefined;
  /** longest time without a byte of the store */
  readonly timeoutMs: number;
}

const CONNECT_MS = 5_000;
const ATTEMPTS = 3;
const RETRY_AFTER_S = 10;

/** Objects of a bucket, below a prefix. Every failure of the store is an AppError `unavailable` with the cause. */
export class S3Bucket {
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #settings: S3Settings;
  #client: Promise<S3Client> | undefined;

  /** `url`: s3://bucket/prefix */
  constructor(url: string, settings: S3Settings) {
    const [bucket = '', ...prefix] = url.slice('s3://'.length).split('/').filter(Boolean);
    this.#bucket = bucket;
    this.#prefix = prefix.map((part) => `${part}/`).join('');
    this.#settings = settings;
  }

  /** Stores a file of at most 5 GB; the store compares its checksum. */
  async put(path: string, local: string, { bytes, sha256 }: Measured): Promise<void> {
    await this.#send(async (client, { PutObjectCommand }) => {
      const body = createReadStream(local);
      try {
        await client.send(
          new PutObjectCommand({
            ...this.#key(path),
            Body: body,
            ContentLength: bytes,
            ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
            ContentType: 'application/vnd.apache.parquet',
          }),
        );
      } finally {
        body.destroy();
      }
    });
  }

  /** `length` bytes from `start` on. The object must have `total` bytes. */
  async getRange(path: string, start: number, length: number, total: number): Promise<Buffer> {
    return this.#send(async (client, { GetObjectCommand }) => {
      const answer = await client.send(
        new GetObjectCommand({ ...this.#key(path), Range: `bytes=${start}-${start + length - 1}` }),
      );
      const pieces: Buffer[] = [];
      for await (const piece of answer.Body as Readable) pieces.push(piece as Buffer);
      const bytes = Buffer.concat(pieces);
      if (bytes.length !== length || answer.ContentRange?.endsWith(`/${total}`) !== true) {
        throw new DamagedFile(`${path}: ${answer.ContentRange ?? 'no range'}, ${total} bytes in the manifest`);
      }
      return bytes;
    });
  }

  async download(path: string, local: string): Promise<void> {
    await this.#send(async (client, { GetObjectCommand }) => {
      const { Body: body } = await client.send(new GetObjectCommand(this.#key(path)));
      await pipeline(body as Readable, createWriteStream(local, { mode: 0o600 }));
    });
  }

  async remove(path: string): Promise<void> {
    await this.#send((client, { DeleteObjectCommand }) => client.send(new DeleteObjectCommand(this.#key(path))));
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    (await client?.catch(() => undefined))?.destroy();
  }

  #key(path: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${path}` };
  }

  async #send<T>(work: (client: S3Client, s3: typeof import('@aws-sdk/client-s3')) => Promise<T>): Promise<T> {
    // loaded when it is needed: most installations have a folder
    const s3 = await import('@aws-sdk/client-s3');
    try {
      this.#client ??= Promise.resolve(this.#open(s3));
      return await work(await this.#client, s3);
    } catch (error) {
      throw new StoreError(error as Error);
    }
  }

  #open({ S3Client: Client }: typeof import('@aws-sdk/client-s3')): S3Client {
    const { endpoint, pathStyle, region, credentials, timeoutMs } = this.#settings;
    return new Client({
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(region === undefined ? {} : { region }),
      ...(credentials === undefined ? {} : { credentials }),
      forcePathStyle: pathStyle,
      maxAttempts: ATTEMPTS,
      // failures are reported by those who ask; without a logger the client writes some of them to the console
      logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      // other stores than Amazon's reject checksums that were not asked for
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: timeoutMs },
    });
  }
}

const ignore = (): void => undefined;

/** The store does not answer, refuses, or lacks a file. */
export class StoreError extends AppError {
  /** the store is unreachable: other files would fail as well */
  readonly isAway: boolean;

  constructor(cause: Error) {
    super('unavailable', 'The files of past positions cannot be read or written', [], RETRY_AFTER_S);
    this.cause = cause;
    this.isAway = !(cause instanceof DamagedFile || cause.name === 'NoSuchKey');
  }
}

class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
}
