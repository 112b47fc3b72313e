import { type LookupAddress, lookup } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { AppError } from '../errors.ts';
import { isPublicAddress } from './addresses.ts';

const LOOKUP_MS = 5_000;

export interface OutboundRules {
  /** the setting WEBHOOK_PRIVATE */
  readonly allowsPrivate: boolean;
  /** of names; in place of the system's */
  readonly resolve?: (name: string) => Promise<readonly LookupAddress[]>;
}

/** Requests that the server makes to URLs that people gave it. */
export interface Outbound {
  /** Throws AppError `private-address`. A name that cannot be resolved now is looked at again when it is called. */
  check(url: string): Promise<void>;
  /** An address of a host, for connections that are not HTTP. Throws AppError `private-address`; any other error is the network's. */
  resolve(host: string): Promise<string>;
  /**
   * Sends JSON; the status of the answer, whose body is not read. The address that was checked is the one that is
   * called, and redirects are not followed. Throws AppError `private-address`; any other error is the network's.
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
  // The name is not looked up a second time: it may answer otherwise then.
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
