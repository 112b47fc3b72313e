import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import {
  EVENT_RECORD,
  PACKED_RECORD,
  RECORD_AT,
  RECORD_HEADER_BYTES,
  RECORDS_MEDIA_TYPE,
} from '../../../src/contract/records.ts';
import { positionJson } from '../../../src/contract/telemetry/index.ts';
import { RECORDS_VERSION_HEADER } from '../../../src/contract/versions.ts';

export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly lines: readonly { seq: number; type: string; [key: string]: unknown }[];
}

/** What the receiver does with one request; true when it has answered, else the ordinary answer follows. */
export type Behaviour = (request: Received, response: ServerResponse, receiver: Receiver) => boolean | undefined;

/** Stands for the API: keeps the last sequence of each spool, applies what is new, refuses events on request. */
export class Receiver {
  readonly applied: { spool: string; seq: number; line: Record<string, unknown> }[] = [];
  readonly requests: Received[] = [];
  readonly lastSeq = new Map<string, number>();
  /** lines that are answered as rejected */
  rejects: (line: Received['lines'][number]) => boolean = () => false;
  /** version of records that it names in its answers; undefined: an API of before there were versions */
  reads: number | undefined;
  /** names gzip in its answers; otherwise compressed bytes are no records to it, as to earlier versions */
  takesGzip = false;
  /** one for each of the next requests */
  readonly script: Behaviour[] = [];
  /** for every request when the script is at its end */
  always: Behaviour | undefined;
  /** a batch that comes before the one ahead of it was applied waits; otherwise it is refused, as the API may do */
  isPatient = false;
  readonly port: number;
  readonly url: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #waiting: { readonly until: () => boolean; readonly resolve: () => void }[] = [];

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    this.url = `http://127.0.0.1:${this.port}`;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    server.on('request', (request, response) => void this.#handle(request, response));
  }

  static async start(port = 0): Promise<Receiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return new Receiver(server);
  }

  /** Resolves when the condition holds after a request. */
  until(condition: () => boolean): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ until: condition, resolve }));
  }

  /** Applies lines as the API does. */
  apply(request: Received): { lastSeq: number; rejected: { seq: number; code: string; detail: string }[] } {
    const spool = new URL(request.path, this.url).searchParams.get('spool') ?? '';
    let last = this.lastSeq.get(spool) ?? 0;
    const rejected: { seq: number; code: string; detail: string }[] = [];
    for (const line of request.lines) {
      if (this.rejects(line)) rejected.push({ seq: line.seq, code: 'invalid', detail: 'refused by the test' });
      else if (line.seq > last) this.applied.push({ spool, seq: line.seq, line });
      last = Math.max(last, line.seq);
    }
    this.lastSeq.set(spool, last);
    return { lastSeq: last, rejected };
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Is it behind a batch that has not been applied? */
  #isEarly({ path }: Received): boolean {
    const { searchParams } = new URL(path, this.url);
    return Number(searchParams.get('after') ?? 0) > (this.lastSeq.get(searchParams.get('spool') ?? '') ?? 0);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const isCompressed = request.headers['content-encoding'] === 'gzip';
    const isRefused = isCompressed && !this.takesGzip;
    const isLines = request.headers['content-type'] === RECORDS_MEDIA_TYPE && !isRefused;
    const sent = Buffer.concat(parts);
    const bytes = isCompressed && !isRefused ? gunzipSync(sent) : sent;
    const body = isLines ? asLines(bytes) : bytes.toString('utf8');
    const lines = isLines
      ? body
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Received['lines'][number])
      : [];
    const received = { path: request.url ?? '', headers: request.headers, body, lines };
    this.requests.push(received);
    this.#notify();
    const behaviour = this.script.shift() ?? this.always;
    if (this.isPatient) while (this.#isEarly(received)) await new Promise(setImmediate);
    if (isRefused) status(400)(received, response, this);
    else if (isLines && this.#isEarly(received)) status(409)(received, response, this);
    else if (behaviour?.(received, response, this) !== true) {
      response.setHeader('content-type', 'application/json');
      if (this.takesGzip) response.setHeader('accept-encoding', 'gzip');
      if (this.reads !== undefined) response.setHeader(RECORDS_VERSION_HEADER, this.reads);
      response.end(JSON.stringify(isLines ? this.apply(received) : {}));
    }
    this.#notify();
  }

  #notify(): void {
    for (const waiter of Array.from(this.#waiting)) {
      if (!waiter.until()) continue;
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
      waiter.resolve();
    }
  }
}

/** Records of a spool as NDJSON. */
export function asLines(body: Buffer): string {
  let text = '';
  for (let at = 0; at < body.length; ) {
    const end = at + RECORD_HEADER_BYTES + body.readUInt32LE(at + RECORD_AT.length);
    const seq = Number(body.readBigUInt64LE(at + RECORD_AT.seq));
    const bytes = body.subarray(at + RECORD_HEADER_BYTES, end);
    const kind = body[at + RECORD_AT.kind];
    if (kind === EVENT_RECORD) text += `{"seq":${seq},${bytes.toString().slice(1)}\n`;
    else {
      const position = kind === PACKED_RECORD ? positionJson(bytes) : bytes.toString();
      text += `{"seq":${seq},"type":"position","position":${position}}\n`;
    }
    at = end;
  }
  return text;
}

/** Answers with a status and nothing done. */
export const status =
  (code: number, headers: Record<string, string> = {}, body = '{}'): Behaviour =>
  (_request, response) => {
    response.writeHead(code, headers).end(body);
    return true;
  };
