import { describe, expect, it } from 'vitest';
import {
  addAlarm,
  asCommand,
  asPropertyName,
  binaryCommand,
  bytesBodyField,
  bytesCommand,
  bytesParameter,
  CUSTOM_TEXT,
  commandBytes,
  createPosition,
  customCommand,
  Draft,
  Driver,
  decodedFor,
  decodedOfDevices,
  degreesFromDdmm,
  degreesFromMinutes,
  degreesWithLetters,
  ENDS_SESSION,
  EVERY_MESSAGE,
  fileChunk,
  fileChunks,
  fixFlags,
  fromHex,
  fromLatin1,
  handlerOf,
  httpProtocol,
  integerParameter,
  integerPlaceholder,
  isHex,
  KNOT_KMH,
  literalBodyField,
  meaningByText,
  meaningByType,
  NOT_REPEATABLE,
  ninePlaces,
  numberBodyField,
  numberedKey,
  optionalPlaceholder,
  positionOf,
  privilegedWords,
  readAll,
  readBetween,
  readLengthPrefixed,
  readUntil,
  SESSION_ENDING_WORDS,
  setDeviceNamed,
  setIfPresent,
  statusPosition,
  storedReply,
  storedTextReply,
  streamProtocol,
  switchPlaceholder,
  textAnswer,
  textBodyField,
  textCommand,
  textParameter,
  textPlaceholder,
  ticketNumber,
  toHex,
  toLatin1,
  unescapeLineEnds,
  wholeMessage,
  withHemisphere,
  wrapWith,
  writeFix,
} from '#codec';
import { delimited } from '#codec/framing';

/** What a command is encoded for. */
const context = { state: undefined, deviceId: '350000000000014', options: {}, ticket: '7', now: 0 };

const facts = { id: 'acme', title: 'Acme', models: ['A1'], port: 5999, setup: ['SERVER,{host},{port}#'] };
const framing = { frame: delimited({ starts: ['$'], ends: ['\n'], maxBytes: 100 }), MAX_FRAME_BYTES: 100 };
const commanding = { commands: {} };
const noSimulator = {
  acknowledges: false,
  report: () => new Uint8Array(),
  read: () => undefined,
};
const acme = streamProtocol<undefined>(facts, {
  framing,
  decoding: { decode: (_, { state }) => ({ state, messages: [{ type: 'heartbeat', attributes: {} }], replies: [] }) },
  commanding,
  simulator: noSimulator,
});

describe('#codec', () => {
  it('streamProtocol', () => {
    // `acme` is made by streamProtocol of facts and the modules of its folder; the rest is set to its default
    expect(acme).toMatchObject({ service: 'acme', transports: ['tcp'], integrity: 'none', resync: 'marker' });
  });

  it('httpProtocol', () => {
    const protocol = httpProtocol<undefined>(facts, {
      decoding: { decode: (_, { state }) => ({ state, messages: [], replies: [{ when: 'stored', status: 200 }] }) },
      commanding,
      simulator: { report: () => new Uint8Array(), read: () => undefined },
    });
    expect(protocol).toMatchObject({ carrier: 'http', correlation: 'none' });
  });

  it('Driver', () => {
    const driver = new Driver(acme, { transport: 'tcp', options: {} });
    expect(driver.push(fromLatin1('$HB'), 0)).toEqual([]);
    const [step] = driver.push(fromLatin1('\n$H'), 0);
    expect(step).toMatchObject({ type: 'frame', bytes: fromLatin1('$HB\n'), messages: [{ type: 'heartbeat' }] });
  });

  it('Draft', () => {
    const draft = new Draft();
    draft.setFix(Date.parse('2024-07-01T12:00:00Z'), true, 45.07, 7.69);
    draft.setMovement(undefined, 50, 90);
    draft.addAlarm('sos');
    expect(draft.toPosition()).toMatchObject({ latitude: 45.07, speed: 50, attributes: { alarm: 'sos' } });
  });

  it('createPosition', () => {
    const at = Date.parse('2024-07-01T12:00:00Z');
    const fix = { deviceTime: at, fixTime: at, valid: true, latitude: 45.07, longitude: 7.69, altitude: undefined };
    const position = createPosition({ ...fix, speed: 50, course: 450 }, {});
    expect(position).toMatchObject({ speed: 50, course: 90 });
    expect(position).not.toHaveProperty('altitude');
  });

  it('positionOf', () => {
    const time = Date.parse('2024-07-01T12:00:00Z');
    const fix = { time, valid: true, latitude: 45.07, longitude: 7.69 };
    expect(positionOf(fix, { ignition: true })).toMatchObject({ fixTime: time, attributes: { ignition: true } });
    // coordinates off the globe are not a fix
    expect(positionOf({ ...fix, latitude: 91 }, {})).toMatchObject({ outdated: true, attributes: { rawLatitude: 91 } });
  });

  it('statusPosition', () => {
    expect(statusPosition({ batteryLevel: 80 })).toEqual({
      type: 'position',
      valid: false,
      outdated: true,
      attributes: { batteryLevel: 80 },
    });
  });

  it('addAlarm', () => {
    const attributes = { alarm: 'sos' };
    addAlarm(attributes, 'lowBattery');
    addAlarm(attributes, undefined);
    expect(attributes.alarm).toBe('sos,lowBattery');
  });

  it('asPropertyName', () => {
    const key = asPropertyName(`io${239}`);
    expect(key).toBe('io239');
  });

  it('numberedKey', () => {
    const fuel = numberedKey('fuel#Temp');
    expect([fuel(1), fuel(4_000)]).toEqual(['fuel1Temp', 'fuel4000Temp']);
  });

  it('setIfPresent', () => {
    const attributes = {};
    setIfPresent(attributes, 'power', 12.4);
    setIfPresent(attributes, 'battery', undefined);
    expect(attributes).toEqual({ power: 12.4 });
  });

  it('setDeviceNamed', () => {
    const attributes = {};
    expect(setDeviceNamed(attributes, 'fuel#1', 40)).toBe(true);
    expect(setDeviceNamed(attributes, 'a b', 1)).toBe(false);
    expect(attributes).toEqual({ 'fuel#1': 40 });
  });

  it('KNOT_KMH', () => {
    expect(10 * KNOT_KMH).toBeCloseTo(18.52);
  });

  it('degreesFromDdmm', () => {
    // 48°07.5'
    expect(degreesFromDdmm(4807.5)).toBe(48.125);
  });

  it('degreesFromMinutes', () => {
    expect(degreesFromMinutes(48, 7.4)).toBe(48.123333333);
  });

  it('ninePlaces', () => {
    // ten-thousandths of a minute
    expect(ninePlaces(28_874_000 / 600_000)).toBe(48.123333333);
  });

  it('fixFlags', () => {
    const flags = fixFlags({ valid: 0x01, south: 0x02, west: 0x04 });
    const sent = 0x03;
    expect(flags.isValid(sent)).toBe(true);
    expect(flags.latitude(sent, 33.5)).toBe(-33.5);
    expect(flags.longitude(sent, 18.4)).toBe(18.4);
  });

  it('withHemisphere', () => {
    expect([withHemisphere(33.5, 'S'), withHemisphere(18.4, 'E')]).toEqual([-33.5, 18.4]);
  });

  it('textCommand', () => {
    const command = textCommand('Set the APN', 'APN,{apn}#', { placeholders: { apn: textPlaceholder('APN') } });
    expect(toLatin1(command.encode({ apn: 'internet' }, context))).toBe('APN,internet#');
  });

  it('wrapWith', () => {
    const command = wrapWith((text, { deviceId }) => `@${deviceId},${text}\r\n`);
    expect(toLatin1(command('Restart', 'RST').encode({}, context))).toBe('@350000000000014,RST\r\n');
  });

  it('customCommand', () => {
    const command = customCommand('Send text', (data) => `${data}#`);
    expect(toLatin1(command.encode({ data: 'STATUS' }, context))).toBe('STATUS#');
  });

  it('bytesCommand', () => {
    expect(bytesCommand('Send bytes').encode({ data: '0d0a' }, context)).toEqual(fromHex('0d0a'));
  });

  it('commandBytes', () => {
    expect(commandBytes('RST#')).toEqual(fromLatin1('RST#'));
    expect(() => commandBytes('☃')).toThrow('other than 8 bits');
  });

  it('textPlaceholder', () => {
    expect(textPlaceholder('APN', 10).write({ apn: 'internet' }, 'apn')).toBe('internet');
  });

  it('integerPlaceholder', () => {
    const seconds = integerPlaceholder('Seconds', 10, 3600);
    expect(seconds.write({ interval: 60 }, 'interval')).toBe('60');
    expect(() => seconds.write({ interval: 5 }, 'interval')).toThrow('from 10 to 3600');
  });

  it('switchPlaceholder', () => {
    expect(switchPlaceholder('Relay', 'ON', 'OFF').write({ relay: false }, 'relay')).toBe('OFF');
  });

  it('optionalPlaceholder', () => {
    const port = optionalPlaceholder(integerPlaceholder('Port', 1, 65_535), '5000');
    expect([port.write({ port: 6000 }, 'port'), port.write({}, 'port')]).toEqual(['6000', '5000']);
  });

  it('NOT_REPEATABLE', () => {
    expect(textCommand('Open the door', 'DOOR#', NOT_REPEATABLE).repeatable).toBe(false);
  });

  it('CUSTOM_TEXT', () => {
    const command = textCommand('Send text', 'CMD,{data}#', CUSTOM_TEXT);
    expect(toLatin1(command.encode({ data: 'STATUS' }, context))).toBe('CMD,STATUS#');
  });

  it('ENDS_SESSION', () => {
    expect(textCommand('Restart', 'RST#', ENDS_SESSION)).toMatchObject({ endsSession: true, repeatable: false });
  });

  it('unescapeLineEnds', () => {
    expect(unescapeLineEnds('AT+RST\\r\\n')).toBe('AT+RST\r\n');
  });

  it('wholeMessage', () => {
    const command = customCommand('A whole message', wholeMessage('#'));
    expect(toLatin1(command.encode({ data: 'TRVBP16#' }, context))).toBe('TRVBP16#');
    expect(() => command.encode({ data: 'TRVBP16' }, context)).toThrow('does not end in #');
  });

  it('binaryCommand', () => {
    const command = binaryCommand('Set the interval', (body) => Uint8Array.of(body.length, ...body), [
      literalBodyField('a1'),
      numberBodyField('seconds', 'Seconds', 'u16', [10, 3600]),
    ]);
    expect(toHex(command.encode({ seconds: 60 }, context))).toBe('03a1003c');
  });

  it('literalBodyField', () => {
    const command = binaryCommand('Restart', (body) => body, [literalBodyField('a5')]);
    expect(toHex(command.encode({}, context))).toBe('a5');
  });

  it('numberBodyField', () => {
    const level = numberBodyField('level', 'Level', 'u8', [0, 9], { value: 3 });
    const command = binaryCommand('Set the level', (body) => body, [level]);
    expect([toHex(command.encode({ level: 9 }, context)), toHex(command.encode({}, context))]).toEqual(['09', '03']);
  });

  it('textBodyField', () => {
    const command = binaryCommand('Show', (body) => body, [textBodyField('text', 'Text', { length: 'u8' })]);
    expect(toHex(command.encode({ text: 'Hi' }, context))).toBe('024869');
  });

  it('bytesBodyField', () => {
    const command = binaryCommand('Write', (body) => body, [bytesBodyField('data', 'Bytes in hex', 16, 'u8')]);
    expect(toHex(command.encode({ data: 'cafe' }, context))).toBe('02cafe');
  });

  it('textParameter', () => {
    expect(textParameter({ apn: 'internet' }, 'apn', 20)).toBe('internet');
    expect(() => textParameter({}, 'apn', 20)).toThrow('apn is missing');
  });

  it('integerParameter', () => {
    expect(integerParameter({ seconds: '60' }, 'seconds', 10, 3600)).toBe(60);
  });

  it('bytesParameter', () => {
    expect(bytesParameter({ data: 'CAFE' }, 'data', 16)).toEqual(fromHex('cafe'));
  });

  it('isHex', () => {
    expect([isHex('cafe'), isHex('caf')]).toEqual([true, false]);
  });

  it('ticketNumber', () => {
    expect(ticketNumber('7', 0xffff)).toBe(7);
    expect(() => ticketNumber('70000', 0xffff)).toThrow('up to 65535');
  });

  it('privilegedWords', () => {
    const isPrivileged = (text: string) => privilegedWords().some((words) => words.test(text));
    expect(['RESET#', 'RELAY,1#', 'STATUS#'].map(isPrivileged)).toEqual([true, true, false]);
  });

  it('SESSION_ENDING_WORDS', () => {
    expect(['FACTORY#', 'STATUS#'].map((text) => SESSION_ENDING_WORDS.test(text))).toEqual([true, false]);
  });

  it('EVERY_MESSAGE', () => {
    expect(EVERY_MESSAGE.some((words) => words.test('any text'))).toBe(true);
  });

  it('storedReply', () => {
    expect(storedReply(fromHex('01'))).toEqual({ when: 'stored', bytes: fromHex('01') });
  });

  it('storedTextReply', () => {
    expect(storedTextReply('OK').bytes).toEqual(fromLatin1('OK'));
  });

  it('textAnswer', () => {
    expect(textAnswer('OK')).toEqual({ type: 'answer', outcome: 'done', text: 'OK' });
    expect(textAnswer('ERROR 3', false)).toMatchObject({ outcome: 'refused' });
  });

  it('handlerOf', () => {
    expect(handlerOf({ 1: 'login', 2: 'report' }, 2)).toBe('report');
    expect(() => handlerOf({ 1: 'login' }, 9)).toThrow('message 9 is not known');
  });

  it('decodedFor', () => {
    const decoded = decodedFor('350000000000014', { messages: [], reply: fromLatin1('OK') }, undefined);
    expect(decoded.messages).toEqual([{ type: 'login', ids: ['350000000000014'] }]);
    expect(decoded.replies).toEqual([storedTextReply('OK')]);
  });

  it('decodedOfDevices', () => {
    const position = statusPosition({ sat: 9 });
    const one = decodedOfDevices([['1', position]], undefined);
    expect(one.messages).toEqual([{ type: 'login', ids: ['1'] }, position]);
    expect(one.replies).toEqual([
      { when: 'stored', status: 200 },
      { when: 'refused', status: 404 },
    ]);
    const two = [
      ['1', position],
      ['2', position],
    ] as const;
    expect(decodedOfDevices(two, undefined).messages).toEqual([
      { ...position, deviceId: '1' },
      { ...position, deviceId: '2' },
    ]);
  });

  it('fileChunk', () => {
    const piece = { name: 'a.jpg', media: 'image', offset: 0, bytes: fromHex('ffd8') } as const;
    const [chunk, record] = fileChunk(piece, true);
    expect(chunk).toMatchObject({ type: 'file', last: true });
    expect(record).toMatchObject({ attributes: { image: 'a.jpg' } });
  });

  it('fileChunks', () => {
    const chunks = fileChunks('a.jpg', 'image', new Uint8Array(40_000));
    expect(chunks.map(({ offset, last }) => [offset, last])).toEqual([
      [0, undefined],
      [32_768, true],
    ]);
  });

  it('asCommand', () => {
    const meaning = asCommand((frame) => toLatin1(frame));
    expect(meaning(fromLatin1('RST'))).toMatchObject({ type: 'command', text: 'RST' });
  });

  it('writeFix', () => {
    const time = Date.parse('2024-07-01T12:00:00Z');
    const fix = { time, latitude: -45.075, longitude: 7.69, speed: 18.52, course: 90, ignition: true };
    const text = writeFix('{id},{yyMMdd},{HHmmss},{place},{latitude.3},{knots.1},{course},{ignition}', fix, { id: 7 });
    expect(text).toBe('7,240701,120000,4504.5000,S,00741.4000,E,-45.075,10.0,90,1');
  });

  it('meaningByText', () => {
    const meaning = meaningByText({ acknowledged: /^ACK/ });
    expect(meaning(fromLatin1('ACK,7'))).toEqual({ type: 'acknowledged', reports: 1 });
    // messages that no pattern finds are commands
    expect(meaning(fromLatin1('RST'))).toMatchObject({ type: 'command', text: 'RST' });
  });

  it('meaningByType', () => {
    const meaning = meaningByType((frame) => frame[0]!, { 1: 'admitted', 2: 'acknowledged' });
    expect(meaning(fromHex('0100'))).toEqual({ type: 'admitted' });
    expect(meaning(fromHex('0900'))).toMatchObject({ type: 'command', text: '0900' });
  });

  it('readAll', () => {
    const read = readAll(asCommand((frame) => toLatin1(frame)));
    expect(read(fromLatin1('RST'))).toMatchObject({ bytes: 3, message: { text: 'RST' } });
  });

  it('readUntil', () => {
    const read = readUntil(
      '#',
      asCommand((frame) => toLatin1(frame)),
    );
    expect(read(fromLatin1('RST#STA'))).toMatchObject({ bytes: 4, message: { text: 'RST#' } });
    expect(read(fromLatin1('STA'))).toBeUndefined();
  });

  it('readBetween', () => {
    const read = readBetween(
      0x7e,
      asCommand((frame) => toHex(frame)),
    );
    expect(read(fromHex('007e017e'))).toMatchObject({ message: { text: '7e017e' } });
  });

  it('readLengthPrefixed', () => {
    const read = readLengthPrefixed(
      1,
      ([length]) => 1 + length!,
      asCommand((frame) => toHex(frame)),
    );
    expect(read(fromHex('02cafe00'))).toMatchObject({ bytes: 3, message: { text: '02cafe' } });
    expect(read(fromHex('02ca'))).toBeUndefined();
  });

  it('degreesWithLetters', () => {
    expect(degreesWithLetters({ latitude: 48.125, longitude: -11.6 })).toBe('4807.5000,N,01136.0000,W');
  });
});
