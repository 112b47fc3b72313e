import type { Socket } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { readProxyHeader } from './proxy-header.ts';

/** First byte of a TLS record of type handshake (RFC 8446, clause 5.1). No protocol here begins with it. */
const TLS_HANDSHAKE = 0x16;

export interface PreambleSettings {
  readonly proxyProtocol: boolean;
  /** serves connections that begin with a TLS handshake */
  readonly tls: TlsServer | undefined;
  readonly timeoutMs: number;
  /** peers that the PROXY header named, for sockets that TLS wraps afterwards */
  readonly remotes: WeakMap<object, string>;
}

/**
 * What may come before a device's own bytes: a PROXY header, a TLS handshake. `ready` gets the socket, the peer that
 * the header names, and the bytes that were read beyond.
 */
export function readPreamble(
  socket: Socket,
  settings: PreambleSettings,
  ready: (remote: string | undefined, first: Buffer | undefined) => void,
  refuse: (reason: string) => void,
): void {
  let seen: Buffer | undefined;
  let expectsHeader = settings.proxyProtocol;
  let remote: string | undefined;
  socket.setTimeout(settings.timeoutMs, () => refuse('no preamble'));
  const onData = (chunk: Buffer): void => {
    seen = seen === undefined ? chunk : Buffer.concat([seen, chunk]);
    if (expectsHeader) {
      const header = readProxyHeader(seen);
      if (header.type === 'more') return;
      if (header.type === 'invalid') {
        refuse('no PROXY header');
        return;
      }
      expectsHeader = false;
      remote = header.remote;
      seen = seen.subarray(header.bytes);
    }
    if (settings.tls !== undefined && seen.length === 0) return;
    socket.off('data', onData);
    socket.setTimeout(0);
    socket.removeAllListeners('timeout');
    if (settings.tls === undefined || seen[0] !== TLS_HANDSHAKE) {
      ready(remote, seen);
      return;
    }
    if (remote !== undefined) settings.remotes.set(socket, remote);
    socket.pause();
    socket.unshift(seen);
    settings.tls.emit('connection', socket);
  };
  socket.on('data', onData);
}
