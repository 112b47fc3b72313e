/** The IP address of an `address:port`, without brackets; an IPv4 address that is mapped to IPv6 as IPv4. */
export function addressOf(remote: string): string {
  const host = remote.slice(0, remote.lastIndexOf(':')).replace(/^\[|\]$/g, '');
  return /^::ffff:\d/i.test(host) ? host.slice(7) : host;
}
