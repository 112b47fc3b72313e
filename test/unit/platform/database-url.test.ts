import { describe, expect, it } from 'vitest';
import { parseDatabaseUrl } from '../../../src/server/database/database-url.ts';

// the forms of "Connection URIs" and "Specifying Multiple Hosts" of the documentation of libpq
describe('the URL of a database', () => {
  it('with one host is left as it is', () => {
    for (const url of [
      'postgresql://localhost',
      'postgresql://localhost:5433/mydb',
      'postgresql://user:se%2Fcret@localhost/other?connect_timeout=10&application_name=myapp',
      'postgresql:///mydb?host=%2Fvar%2Frun&port=5433',
      'socket:/var/run?db=mydb',
    ]) {
      expect(parseDatabaseUrl(url)).toEqual({ urls: [url], kind: undefined });
    }
  });

  it('with several hosts has a port for each', () => {
    expect(
      parseDatabaseUrl('postgresql://user:p%40ss@host1:123,host2:456/somedb?target_session_attrs=any&sslmode=require'),
    ).toEqual({
      urls: [
        'postgresql://user:p%40ss@host1:123/somedb?sslmode=require',
        'postgresql://user:p%40ss@host2:456/somedb?sslmode=require',
      ],
      kind: 'any',
    });
    expect(parseDatabaseUrl('postgres://one,[2001:db8::1]:5433/db').urls).toEqual([
      'postgresql://one/db',
      'postgresql://[2001:db8::1]:5433/db',
    ]);
  });

  it('with hosts as parameters has one port, or one for each', () => {
    expect(parseDatabaseUrl('postgresql:///db?host=one,/run/pg&port=5433').urls).toEqual([
      'postgresql://one:5433/db',
      'postgresql://localhost/db?host=%2Frun%2Fpg&port=5433',
    ]);
    expect(parseDatabaseUrl('postgresql:///db?host=one,two&port=1,2').urls).toEqual([
      'postgresql://one:1/db',
      'postgresql://two:2/db',
    ]);
    expect(() => parseDatabaseUrl('postgresql:///db?host=one,two&port=1,2,3')).toThrow('as many ports as hosts');
  });

  it('of one host may say what the server has to be', () => {
    expect(parseDatabaseUrl('postgresql://u@one/db?target_session_attrs=read-write')).toEqual({
      urls: ['postgresql://u@one/db'],
      kind: 'read-write',
    });
    expect(() => parseDatabaseUrl('postgresql://u@one/db?target_session_attrs=master')).toThrow('target_session_attrs');
  });
});
