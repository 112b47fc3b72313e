import { type LookupAddress, lookup } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { AppError } from '../../../platform/errors.ts';
import { isPublicAddress } from './addresses.ts';

const LOOKUP_MS = 5_000;

export interface OutboundRules {
  /** the setting WEBHOOK_PRIVATE */
  readonly allowsPrivate: boolean;
  /** replaces the system resolver in tests */
  readonly resolve?: (name: string) => Promise<readonly LookupAddress[]>;
}

/** Requests to URLs that users have configured. Prevents SSRF: private addresses are refused. */
export interface Outbound {
  /**
   * Throws AppError `private-address`. A name that cannot be resolved is accepted and checked again on each request.
   */
  check(url: string): Promise<void>;
  /**
   * An address of a host, for connections that are not HTTP. Throws AppError `private-address`; any other error is
   * the network's.
   */
  resolve(host: string): Promise<string>;
  /**
   * Posts JSON and returns the status; the response body is not read. Connects to the checked address and follows no
   * redirects. Throws AppError `private-address`; any other error is the network's.
   */
  post(
    url: string,
    body: string | Buffer,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<number>;
}

export function createOutbound({ allowsPrivate, resolve = resolveName }: OutboundRules): Outbound {
  const addressesOf = async (hostname: string): Promise<readonly LookupAddress[]> => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const family = isIP(host);
    const addresses = family === 0 ? await resolve(host) : [{ address: host, family }];
    if (!allowsPrivate && addresses.some(({ address }) => !isPublicAddress(address))) {
      throw new AppError('private-address', `${host} is or leads to a private address`);
    }
    return addresses;
  };
  return {
    async check(url) {
      await addressesOf(new URL(url).hostname).catch((error: unknown) => {
        if (error instanceof AppError) throw error;
      });
    },
    async resolve(host) {
      return (await addressesOf(host))[0]!.address;
    },
    async post(url, body, headers, signal) {
      const target = new URL(url);
      return send(target, body, headers, signal, await addressesOf(target.hostname));
    },
  };
}

const resolveName = (name: string): Promise<readonly LookupAddress[]> =>
  new Promise((found, failed) => {
    const timer = setTimeout(() => failed(new Error(`${name} was not resolved in time`)), LOOKUP_MS);
    lookup(name, { all: true }, (error, addresses) => {
      clearTimeout(timer);
      if (error !== null) failed(error);
      else found(addresses);
    });
  });

function send(
  url: URL,
  body: string | Buffer,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  addresses: readonly LookupAddress[],
): Promise<number> {
  // DNS rebinding: the name is not resolved a second time.
  const pinned = ((_name, options, found) => {
    if (options.all === true) found(null, [...addresses]);
    else found(null, addresses[0]!.address, addresses[0]!.family);
  }) as LookupFunction;
  const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((answered, failed) => {
    const request = open(url, {
      method: 'POST',
      agent: false,
      lookup: pinned,
      signal,
      headers: { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), ...headers },
    });
    request.on('error', failed);
    request.on('response', (response) => {
      answered(response.statusCode ?? 0);
      response.on('error', () => {});
      response.destroy();
    });
    request.end(body);
  });
}
