import { describe, expect, it } from 'vitest';
import { Draft, Driver, fromLatin1, httpProtocol, toLatin1 } from '#codec';
import {
  alarmMember,
  canCarryCommand,
  choiceMember,
  flagMember,
  httpAsStream,
  httpRequest,
  httpResponse,
  type JsonObject,
  jsonArray,
  jsonNumber,
  jsonObject,
  jsonSeconds,
  jsonText,
  type MemberUse,
  numberMember,
  parseForm,
  parseJson,
  parseQuery,
  parseXml,
  readHttpReply,
  readMembers,
  refuseUnknown,
  textMember,
  xmlChildren,
  xmlDescendants,
  xmlText,
} from '#codec/http';

/** Attributes that a table sets of an object. */
function setBy(table: Readonly<Record<string, MemberUse>>, object: JsonObject) {
  const draft = new Draft();
  readMembers(object, new Map(Object.entries(table)), draft);
  return draft.attributes;
}

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

  it('refuseUnknown', () => {
    expect(toLatin1(refuseUnknown(fromLatin1('GET /favicon.ico HTTP/1.1\r\n\r\n'))!)).toMatch(/^HTTP\/1.1 400 /);
    expect(refuseUnknown(fromLatin1('*HQ,1234567890,V1#'))).toBeUndefined();
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

  it('readHttpReply', () => {
    expect(readHttpReply(httpResponse(200))).toMatchObject({ message: { type: 'acknowledged', reports: 1 } });
    expect(readHttpReply(httpResponse(404))).toMatchObject({ message: { type: 'refused' } });
    const command = httpResponse(200, { 'content-type': 'text/plain' }, fromLatin1('RST'));
    expect(readHttpReply(command)).toMatchObject({ message: { type: 'command', text: 'RST' } });
  });

  it('parseJson', () => {
    expect(parseJson(fromLatin1('{"id":1}'))).toEqual({ id: 1 });
    expect(() => parseJson(fromLatin1('{'))).toThrow('not JSON');
  });

  it('jsonObject', () => {
    expect(jsonObject({ id: 1 }, 'body')).toEqual({ id: 1 });
    expect(() => jsonObject([], 'body')).toThrow('body is not an object');
  });

  it('jsonArray', () => {
    expect(jsonArray([1], 'devices')).toEqual([1]);
    expect(() => jsonArray({}, 'devices')).toThrow('devices is not an array');
  });

  it('jsonNumber', () => {
    expect([jsonNumber(1.5), jsonNumber('-1.5'), jsonNumber('none'), jsonNumber(null)]).toEqual([
      1.5,
      -1.5,
      undefined,
      undefined,
    ]);
  });

  it('jsonSeconds', () => {
    expect(jsonSeconds('1719835200')).toBe(Date.parse('2024-07-01T12:00:00Z'));
    expect(jsonSeconds(null)).toBeNaN();
  });

  it('jsonText', () => {
    expect([jsonText('a'), jsonText(''), jsonText(1)]).toEqual(['a', undefined, undefined]);
  });

  it('numberMember', () => {
    expect(setBy({ odometer: numberMember('odometer', { times: 1000 }) }, { odometer: '1.5' })).toEqual({
      odometer: 1500,
    });
    expect(setBy({ sat: numberMember('sat', { whole: true }) }, { sat: 7.9 })).toEqual({ sat: 7 });
  });

  it('textMember', () => {
    expect(setBy({ vin: textMember('vin') }, { vin: 'WVW' })).toEqual({ vin: 'WVW' });
    expect(setBy({ vin: textMember('vin') }, { vin: '' })).toEqual({});
  });

  it('flagMember', () => {
    expect(setBy({ ign: flagMember('ignition') }, { ign: 'false' })).toEqual({ ignition: false });
    expect(setBy({ ign: flagMember('ignition') }, { ign: null })).toEqual({});
  });

  it('choiceMember', () => {
    const charge = choiceMember('charge', { 1: false, 2: true });
    expect([setBy({ bs: charge }, { bs: 1 }), setBy({ bs: charge }, { bs: 0 })]).toEqual([{ charge: false }, {}]);
  });

  it('alarmMember', () => {
    expect(setBy({ tow: alarmMember('tow') }, { tow: true })).toEqual({ alarm: 'tow' });
    expect(setBy({ tow: alarmMember('tow') }, { tow: false })).toEqual({});
  });

  it('readMembers', () => {
    const draft = new Draft();
    const others: string[] = [];
    readMembers({ batt: 80, x: 1 }, new Map([['batt', numberMember('batteryLevel')]]), draft, (_, name) =>
      others.push(name),
    );
    expect([draft.attributes, others]).toEqual([{ batteryLevel: 80 }, ['x']]);
  });

  it('parseXml', () => {
    expect(parseXml(fromLatin1('<a b="1"/>')).getAttribute('b')).toBe('1');
    expect(() => parseXml(fromLatin1('<!DOCTYPE a><a/>'))).toThrow('document type');
  });

  it('xmlChildren', () => {
    expect(xmlChildren(parseXml(fromLatin1('<a><b/><c/><b/></a>')), 'b')).toHaveLength(2);
  });

  it('xmlText', () => {
    const root = parseXml(fromLatin1('<a><id> 7 </id></a>'));
    expect([xmlText(root, 'id'), xmlText(root, 'name')]).toEqual(['7', '']);
  });

  it('xmlDescendants', () => {
    expect(xmlDescendants(parseXml(fromLatin1('<b><a><b/></a></b>')), 'b')).toHaveLength(2);
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
      simulator: { report: () => new Uint8Array(), read: () => undefined },
    });
    const driver = new Driver(httpAsStream(protocol), { transport: 'tcp', options: {} });
    const [step] = driver.push(httpRequest('GET', '/?id=1'), 0);
    expect(step).toMatchObject({ type: 'frame', messages: [{ type: 'login', ids: ['1'] }] });
  });
});
