import type { Readable } from 'node:stream';
import type { CompletedPart, S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '../../server/history/index.ts';
import { UsageError } from '../usage.ts';
import { type Measured, measure, type Place } from './object.ts';

const CONNECT_MS = 5_000;
const ATTEMPTS = 5;
/** 10,000 parts are allowed: parts grow, so that an object may have 900 GB. */
const PART_BYTES = 16 * 1024 * 1024;
const PARTS_PER_SIZE = 1_000;

type S3 = typeof import('@aws-sdk/client-s3');

/** Objects of a bucket of an S3 store, below a prefix. */
export class S3Place implements Place {
  readonly name: string;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #settings: S3Settings;
  #client: S3Client | undefined;

  constructor(url: string, settings: S3Settings) {
    const [bucket = '', ...prefix] = url.slice('s3://'.length).split('/').filter(Boolean);
    this.name = url;
    this.#bucket = bucket;
    this.#prefix = prefix.map((part) => `${part}/`).join('');
    this.#settings = settings;
  }

  /** In parts, so that the length need not be known before. */
  async write(path: string, content: AsyncIterable<Uint8Array>): Promise<Measured> {
    return this.#send(async (client, s3) => {
      const key = this.#key(path);
      const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand(key));
      const parts: CompletedPart[] = [];
      const measured = measure();
      try {
        for await (const body of inParts(measured.pass(content))) {
          const PartNumber = parts.length + 1;
          const { ETag } = await client.send(new s3.UploadPartCommand({ ...key, UploadId, PartNumber, Body: body }));
          parts.push({ ETag, PartNumber });
        }
        await client.send(
          new s3.CompleteMultipartUploadCommand({ ...key, UploadId, MultipartUpload: { Parts: parts } }),
        );
      } catch (error) {
        await client.send(new s3.AbortMultipartUploadCommand({ ...key, UploadId })).catch(() => undefined);
        throw error;
      }
      return measured.result();
    });
  }

  async read(path: string): Promise<Readable> {
    return this.#send(async (client, { GetObjectCommand }) => {
      const { Body } = await client.send(new GetObjectCommand(this.#key(path)));
      return Body as Readable;
    });
  }

  async list(under: string): Promise<string[]> {
    return this.#send(async (client, { ListObjectsV2Command }) => {
      const paths: string[] = [];
      let from: string | undefined;
      do {
        const answer = await client.send(
          new ListObjectsV2Command({
            Bucket: this.#bucket,
            Prefix: under === '' ? this.#prefix : `${this.#prefix}${under}/`,
            ContinuationToken: from,
          }),
        );
        for (const { Key } of answer.Contents ?? []) paths.push(Key!.slice(this.#prefix.length));
        from = answer.NextContinuationToken;
      } while (from !== undefined);
      return paths.sort();
    });
  }

  async remove(path: string): Promise<void> {
    await this.#send((client, { DeleteObjectCommand }) => client.send(new DeleteObjectCommand(this.#key(path))));
  }

  async close(): Promise<void> {
    this.#client?.destroy();
  }

  #key(path: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${path}` };
  }

  async #send<T>(work: (client: S3Client, s3: S3) => Promise<T>): Promise<T> {
    // loaded when it is needed: most installations have a folder
    const s3 = await import('@aws-sdk/client-s3');
    this.#client ??= this.#open(s3);
    try {
      return await work(this.#client, s3);
    } catch (error) {
      const { $metadata, name, message } = error as Error & { readonly $metadata?: object };
      throw $metadata === undefined ? error : new UsageError(`${this.name}: ${name}: ${message}`);
    }
  }

  #open({ S3Client: Client }: S3): S3Client {
    const { endpoint, pathStyle, region, credentials, timeoutMs } = this.#settings;
    return new Client({
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(region === undefined ? {} : { region }),
      ...(credentials === undefined ? {} : { credentials }),
      forcePathStyle: pathStyle,
      maxAttempts: ATTEMPTS,
      // other stores than Amazon's reject checksums that were not asked for
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: timeoutMs },
    });
  }
}

/** At least one part, also of nothing. */
async function* inParts(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  let count = 0;
  for await (const piece of content) {
    held.push(piece);
    bytes += piece.length;
    if (bytes < PART_BYTES * (1 + Math.floor(count / PARTS_PER_SIZE))) continue;
    yield Buffer.concat(held);
    held = [];
    bytes = 0;
    count++;
  }
  if (bytes > 0 || count === 0) yield Buffer.concat(held);
}
