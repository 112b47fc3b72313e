import { BlockList, isIP, isIPv6 } from 'node:net';
import { createRecentlyUsed } from '../../platform/recently-used.ts';

/** Parsed lists that are cached; lists are settings of devices and tenants, and few of them differ. */
const MAX_CACHED_LISTS = 10_000;
const listOf = createRecentlyUsed(MAX_CACHED_LISTS, blockListOf);

/** Whether an address is in one of the networks `10.0.0.0/8,2001:db8::/32`. */
export const isInNetworks = (address: string, networks: string): boolean =>
  isIP(address) !== 0 && listOf(networks).check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

function blockListOf(networks: string): BlockList {
  const list = new BlockList();
  for (const network of networks.split(',')) {
    const [host = '', bits] = network.trim().split('/');
    const family = isIPv6(host) ? 'ipv6' : 'ipv4';
    const most = family === 'ipv6' ? 128 : 32;
    const length = bits === undefined ? most : Number(bits);
    // an invalid entry matches nothing; the API rejects it
    if (isIP(host) !== 0 && Number.isInteger(length) && length >= 0 && length <= most) {
      list.addSubnet(host, length, family);
    }
  }
  return list;
}

const HOST_BITS_V4 = 24;
const HOST_BITS_V6 = 64;

/** The network of an address for takeovers: /24 of IPv4, /64 of IPv6, which usually belongs to one client. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return `${address.slice(0, address.lastIndexOf('.'))}.0/${HOST_BITS_V4}`;
  const [head = '', tail] = address.split('%', 1)[0]!.split('::');
  const groups = head === '' ? [] : head.split(':');
  const end = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - groups.length - end.length;
  const all = [...groups, ...Array.from({ length: Math.max(zeros, 0) }, () => '0'), ...end];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/${HOST_BITS_V6}`;
}

/** One IPv4 address, or the /64 of an IPv6 address. */
export const clientOf = (address: string): string => (isIPv6(address) ? networkOf(address) : address);
