import { describe, expect, it } from 'vitest';
import { readProxyHeader } from '../../../src/gateway/net/proxy-header.ts';

const text = (line: string) => Buffer.from(line, 'latin1');
const SIGNATURE = '0d0a0d0a000d0a515549540a';

describe('PROXY protocol version 1', () => {
  it('names the peer of the example in the specification (clause 2.1)', () => {
    const header = 'PROXY TCP4 192.168.0.1 192.168.0.11 56324 443\r\n';
    expect(readProxyHeader(text(`${header}rest`))).toEqual({
      type: 'header',
      bytes: header.length,
      remote: '192.168.0.1:56324',
    });
  });

  it('brackets IPv6', () => {
    const header = 'PROXY TCP6 2001:db8::1 2001:db8::2 56324 443\r\n';
    expect(readProxyHeader(text(header))).toMatchObject({ remote: '[2001:db8::1]:56324' });
  });

  it('keeps the socket’s own peer where the balancer does not know', () => {
    expect(readProxyHeader(text('PROXY UNKNOWN\r\n'))).toEqual({ type: 'header', bytes: 15 });
  });

  it('waits for the line end, byte by byte, and no longer than a header may be', () => {
    const header = text('PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n');
    for (let cut = 1; cut < header.length; cut++) expect(readProxyHeader(header.subarray(0, cut)).type).toBe('more');
    expect(readProxyHeader(text('P'.padEnd(107, 'x'))).type).toBe('invalid');
  });

  it.each([
    'PROXY TCP4 1.2.3.4 5.6.7.8 1\r\n',
    'PROXY TCP9 1.2.3.4 5.6.7.8 1 2\r\n',
    'PROXY TCP4 999.2.3.4 5.6.7.8 1 2\r\n',
    'PROXY TCP4 1.2.3.4 5.6.7.8 65536 2\r\n',
    'PROXY TCP4 2001:db8::1 5.6.7.8 1 2\r\n',
    'PROXY TCP6 1.2.3.4 ::1 1 2\r\n',
    'PROXX TCP4 1.2.3.4 5.6.7.8 1 2\r\n',
    'PROXY TCP4 1.2.3.4 5.6.7.8 1 2\n',
  ])('refuses %j', (line) => expect(readProxyHeader(text(line)).type).toBe('invalid'));
});

describe('PROXY protocol version 2', () => {
  const v4 = Buffer.from(`${SIGNATURE}2111000cc0a80001c0a8000bdc0401bb`, 'hex');

  it('reads an IPv4 peer (clause 2.2)', () => {
    expect(readProxyHeader(v4)).toEqual({ type: 'header', bytes: 28, remote: '192.168.0.1:56324' });
  });

  it('reads an IPv6 peer and skips what follows the addresses', () => {
    const address = '20010db8000000000000000000000001';
    const bytes = Buffer.from(`${SIGNATURE}21210028${address}${address}dc0401bb04000100`, 'hex');
    expect(readProxyHeader(bytes)).toEqual({ type: 'header', bytes: 56, remote: '[2001:db8:0:0:0:0:0:1]:56324' });
  });

  it('takes a health check of the balancer itself', () => {
    expect(readProxyHeader(Buffer.from(`${SIGNATURE}20000000`, 'hex'))).toEqual({ type: 'header', bytes: 16 });
  });

  it('waits for the rest and refuses other signatures', () => {
    for (let cut = 1; cut < v4.length; cut++) expect(readProxyHeader(v4.subarray(0, cut)).type).toBe('more');
    const other = Uint8Array.from(v4);
    other[5] = 0x0e;
    expect(readProxyHeader(other).type).toBe('invalid');
    expect(readProxyHeader(Buffer.from('000f', 'hex')).type).toBe('invalid');
  });
});
