import type { Socket } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { readProxyHeader } from './proxy-header.ts';

/** First byte of a TLS record of type handshake (RFC 8446, clause 5.1). No protocol here begins with it. */
const TLS_HANDSHAKE = 0x16;

export interface PreambleSettings {
  readonly proxyProtocol: boolean;
  /** serves connections that begin with a TLS handshake */
  readonly tls: TlsServer | undefined;
  readonly isTlsRequired: boolean;
  /** for the PROXY header; for the TLS handshake from its first byte */
  readonly handshakeTimeoutMs: number;
  /** for the first byte of the device */
  readonly firstByteTimeoutMs: number;
  readonly now: () => number;
}

/** What may precede the bytes of a device: a PROXY header, a TLS handshake. */
export class Preamble {
  readonly socket: Socket;
  readonly openedAt: number;
  /** the peer that the PROXY header names, or that of the socket */
  remote: string;
  /** epoch ms at which the connection is closed if the preamble is incomplete */
  deadline: number;
  readonly #settings: PreambleSettings;
  readonly #ready: (preamble: Preamble, first: Buffer) => void;
  readonly #refuse: (preamble: Preamble, reason: string) => void;
  #seen: Buffer | undefined;
  #expectsHeader: boolean;

  /** `ready` receives the bytes that follow the header. If TLS begins, the TLS server receives the socket instead. */
  constructor(
    socket: Socket,
    remote: string,
    settings: PreambleSettings,
    ready: (preamble: Preamble, first: Buffer) => void,
    refuse: (preamble: Preamble, reason: string) => void,
  ) {
    this.socket = socket;
    this.remote = remote;
    this.#settings = settings;
    this.#ready = ready;
    this.#refuse = refuse;
    this.#expectsHeader = settings.proxyProtocol;
    this.openedAt = settings.now();
    this.deadline =
      this.openedAt + (settings.proxyProtocol ? settings.handshakeTimeoutMs : settings.firstByteTimeoutMs);
    socket.on('data', this.#onData);
  }

  readonly #onData = (chunk: Buffer): void => {
    const { tls, isTlsRequired, handshakeTimeoutMs, now } = this.#settings;
    this.#seen = this.#seen === undefined ? chunk : Buffer.concat([this.#seen, chunk]);
    if (this.#expectsHeader && !this.#takeHeader(this.#seen)) return;
    const seen = this.#seen;
    if (tls !== undefined && seen.length === 0) return;
    this.socket.off('data', this.#onData);
    if (tls !== undefined && seen[0] === TLS_HANDSHAKE) {
      this.deadline = now() + handshakeTimeoutMs;
      this.socket.pause();
      this.socket.unshift(seen);
      tls.emit('connection', this.socket);
    } else if (isTlsRequired) this.#refuse(this, 'TLS is required');
    else this.#ready(this, seen);
  };

  /** False if the header is incomplete or refused. */
  #takeHeader(seen: Buffer): boolean {
    const header = readProxyHeader(seen);
    if (header.type === 'more') return false;
    if (header.type === 'invalid') {
      this.#refuse(this, 'no PROXY header');
      return false;
    }
    this.#expectsHeader = false;
    this.#seen = seen.subarray(header.bytes);
    this.remote = header.remote ?? this.remote;
    this.deadline = this.openedAt + this.#settings.firstByteTimeoutMs;
    return true;
  }
}
