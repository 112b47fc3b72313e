import { describe, expect, it } from 'vitest';
import { Driver, fromLatin1, httpProtocol, toLatin1 } from '#codec';
import {
  canCarryCommand,
  httpAsStream,
  httpRequest,
  httpResponse,
  parseForm,
  parseQuery,
  readHttpResponse,
} from '#codec/http';

const facts = { id: 'acme', title: 'Acme', models: [], port: 5999, setup: [] };

describe('#codec/http', () => {
  it('httpRequest', () => {
    expect(toLatin1(httpRequest('GET', '/?id=1'))).toBe(
      'GET /?id=1 HTTP/1.1\r\nhost: fleetgate\r\ncontent-length: 0\r\n\r\n',
    );
  });

  it('httpResponse', () => {
    expect(toLatin1(httpResponse(200, {}, fromLatin1('OK')))).toBe('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nOK');
  });

  it('readHttpResponse', () => {
    const response = httpResponse(200, {}, fromLatin1('OK'));
    expect(readHttpResponse(response)).toMatchObject({ status: 200, body: fromLatin1('OK') });
    expect(readHttpResponse(response.subarray(0, 10))).toBeUndefined();
  });

  it('canCarryCommand', () => {
    expect(canCarryCommand(httpResponse(200, { 'content-type': 'text/plain' }))).toBe(true);
    expect(canCarryCommand(httpResponse(404))).toBe(false);
  });

  it('parseForm', () => {
    expect(parseForm('id=1&name=left+door&id=2')).toEqual(
      new Map([
        ['id', ['1', '2']],
        ['name', ['left door']],
      ]),
    );
  });

  it('parseQuery', () => {
    expect(parseQuery('/report?lat=45.07#end').get('lat')).toEqual(['45.07']);
  });

  it('httpAsStream', () => {
    const protocol = httpProtocol<undefined>(facts, {
      decoding: {
        decode: ({ uri }, { state }) => {
          const id = parseQuery(uri).get('id')![0]!;
          return { state, messages: [{ type: 'login', ids: [id] }], replies: [{ when: 'stored', status: 200 }] };
        },
      },
      commanding: { commands: {} },
      simulator: { fixesPerReport: 1, acknowledges: true, report: () => new Uint8Array(), read: () => undefined },
    });
    const driver = new Driver(httpAsStream(protocol), { transport: 'tcp', options: {} });
    const [step] = driver.push(httpRequest('GET', '/?id=1'), 0);
    expect(step).toMatchObject({ type: 'frame', messages: [{ type: 'login', ids: ['1'] }] });
  });
});
