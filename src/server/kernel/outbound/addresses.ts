import { BlockList, isIPv4 } from 'node:net';

/** Not of the public internet: IANA's special-purpose registries (RFC 6890 and its successors). */
const PRIVATE_4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;

/** Exceptions within 2000::/3, the only public range: protocol assignments and Teredo, documentation, 6to4. */
const PRIVATE_6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const refused = new BlockList();
for (const [net, bits] of PRIVATE_4) refused.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of PRIVATE_6) refused.addSubnet(net, bits, 'ipv6');
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

/** Whether the address is public. IPv4 embedded in IPv6 is not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refused.check(address, 'ipv4');
  return global6.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}
