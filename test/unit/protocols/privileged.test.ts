import { describe, expect, test } from 'vitest';
import { CodecError, type DeviceOptions, isHex, type Protocol, toHex, toLatin1 } from '#codec';
import { checkCommand, type OptionValues } from '../../../src/codec/catalogue/commands.ts';
import { type Catalogue, loadCatalogue } from '../../../src/codec/catalogue/index.ts';
import { loadFixtures } from '../../support/fixtures.ts';

const catalogue = await loadCatalogue();
const IMEI = '356307042441013';
const NOW = 0;

function isPrivileged(
  protocol: string | undefined,
  type: string,
  params: OptionValues,
  { isRaw = false, options = {}, deviceId = IMEI }: { isRaw?: boolean; options?: object; deviceId?: string } = {},
): boolean {
  const command = { type, params, deviceId, options: options as OptionValues, isRaw };
  return checkCommand(catalogue as Catalogue, protocol, command, NOW).isPrivileged;
}
const isPrivilegedText = (protocol: string | undefined, data: string) => isPrivileged(protocol, 'custom', { data });

/** Names of typed commands that restart a device, reset it, move it, load firmware or switch something. */
const HARMFUL = /^(engine|output|reboot|factory|firmware|powerOff$|setConnection$)/;

interface Typed {
  readonly protocol: Protocol;
  readonly type: string;
  readonly params: OptionValues;
  readonly deviceId: string;
  readonly options: DeviceOptions;
}

/** Every typed command of a protocol's fixtures that is privileged, or has a name of one. */
function* typedCommands(protocol: Protocol): Generator<Typed> {
  for (const { fixture } of loadFixtures(protocol.id)) {
    for (const { type, params, deviceId, options = {} } of fixture.commands ?? []) {
      if (type === 'custom') continue;
      const typed = { protocol, type, params: params as OptionValues, deviceId, options };
      if (HARMFUL.test(type) || isPrivileged(protocol.id, type, typed.params, typed)) yield typed;
    }
  }
}

function encode({ protocol, type, params, deviceId, options }: Typed): Uint8Array {
  const state = protocol.initialState(deviceId);
  return protocol.commands[type]!.encode(params, { state, deviceId, options, ticket: '24930', now: NOW });
}

describe.each(catalogue.protocols.map((protocol) => [protocol.id, protocol] as const))('%s', (id, protocol) => {
  const all = [...typedCommands(protocol)];

  test.runIf(all.length > 0)('a typed command that does harm is privileged, and so are its bytes in any form', () => {
    for (const typed of all) {
      const bytes = encode(typed);
      const { type, params, deviceId, options } = typed;
      const where = `${type} ${JSON.stringify(params)} ${toHex(bytes)}`;
      const context = { deviceId, options };
      expect(isPrivileged(id, type, params, context), where).toBe(true);
      expect(isPrivileged(id, 'custom', { data: toHex(bytes) }, { ...context, isRaw: true }), `hex ${where}`).toBe(
        true,
      );
      const twice = toHex(bytes).toUpperCase().repeat(2);
      expect(isPrivileged(id, 'custom', { data: twice }, { ...context, isRaw: true }), `twice ${where}`).toBe(true);
      const asText = /^[\x20-\x7e\r\n]+$/.test(toLatin1(bytes)) ? [toLatin1(bytes), ` ${toLatin1(bytes)}`] : [];
      for (const data of [toHex(bytes), ...asText]) {
        expect(isPrivileged(id, 'custom', { data }, context), `text ${where}`).toBe(true);
      }
    }
  });

  test.runIf(protocol.commands['custom'] !== undefined)(
    'a text for the device is judged with what is put around it',
    () => {
      for (const typed of all) {
        const text = innerText(typed);
        if (text === undefined) continue;
        expect(isPrivileged(id, 'custom', { data: text }, { options: typed.options }), text).toBe(true);
      }
    },
  );

  test('the texts by which an installer moves a device to another server or APN are privileged', () => {
    for (const line of protocol.setup) {
      const sms = /^(?:SMS[^:*+]*?:? |By SMS to many models: |APN: |Data connection: )(.+)$/.exec(line)?.[1];
      const isMove = sms !== undefined && /\{host\}|apn/i.test(sms);
      if (!isMove || id === 'osmand') continue;
      for (const text of sms
        .replaceAll('{host}', '192.0.2.7')
        .replaceAll('{port}', '5300')
        .split(/; then | \(by name: /)) {
        if (carries(protocol, text)) expect(isPrivilegedText(id, text), text).toBe(true);
      }
    }
  });
});

/** What the side of the device reads out of the frame, if as an operator's text it makes the same frame. */
function innerText(typed: Typed): string | undefined {
  const { protocol, deviceId, options } = typed;
  const bytes = encode(typed);
  const message = protocol.simulator.read(bytes)?.message;
  if (message?.type !== 'command' || !carries(protocol, message.text)) return undefined;
  const custom = encode({ protocol, type: 'custom', params: { data: message.text }, deviceId, options });
  return toHex(custom) === toHex(bytes) ? message.text : undefined;
}

function carries(protocol: Protocol, data: string): boolean {
  try {
    const state = protocol.initialState(IMEI);
    protocol.commands['custom']?.encode({ data }, { state, deviceId: IMEI, options: {}, ticket: '1', now: NOW });
    return protocol.commands['custom'] !== undefined;
  } catch (error) {
    if (error instanceof CodecError) return false;
    throw error;
  }
}

/** From the vendors' lists of commands. */
const VENDOR_TEXTS: Readonly<Record<string, readonly string[]>> = {
  adm: ['OUTPUT 1', 'RESET', 'SETHOST0 192.0.2.7 5300', 'SETGPRS0 internet', 'UPDATE', 'ERASE FLASH'],
  atrack: ['AT$OUTC=1,1', 'AT$GPRS=1,internet,,,192.0.2.7,5300', 'AT$REBT=1', 'AT$FOTA=1'],
  calamp: [toHex(Buffer.from('!RP,2319,0,192.0.2.7')), toHex(Buffer.from('!R3,70,0'))],
  eelink: ['RELAY,1#', 'RESET#', 'FACTORY#', 'SERVER,0,192.0.2.7,5300,0#', 'APN,internet#', 'reboot#'],
  fifotrack: ['C01,1,1', 'B01,1,0,192.0.2.7,5300', 'F01'],
  galileo: ['Out 1,1', 'serverip 192.0.2.7,5300', 'servip2 192.0.2.7,5300', 'APN internet,,', 'reset', 'update'],
  gl200text: [
    'AT+GTOUT=gv55,1,,,,,,,,,,,,,,,FFFF$',
    'AT+GTSRI=gv55,3,,1,192.0.2.7,5300,,,,5,0,,,,,FFFF$',
    'AT+GTQSS=gv55,internet,,,3,,1,192.0.2.7,5300,,,,5,,,,FFFF$',
    'AT+GTBSI=gv55,internet,,,,,,,FFFF$',
    'AT+GTRTO=gv55,3,,,,,,FFFF$',
    'AT+GTRTO=gv55,4,,,,,,FFFF$',
    'AT+GTUPD=gv55,0,1,20,0,,,http://192.0.2.7/f,,0,,,FFFF$',
  ],
  gosafe: ['*GS16,,OUT(1,1)#', '*GS16,,NTS(1,192.0.2.7,5300)#', '*GS16,,RST#'].map((text) => toHex(Buffer.from(text))),
  gps103: ['J', 'K', '109', 'adminip123456 192.0.2.7 5300', 'apn123456 internet', 'reset123456'],
  gt06: [
    'RELAY,1#',
    'RESET#',
    'FACTORY#',
    'FACTORYALL#',
    'SERVER,0,192.0.2.7,5300,0#',
    'SERVER,1,example.com,5300,0#',
    'APN,internet#',
    'APN,internet,user,pw#',
    'DYD#',
    'DYD,000000#',
    'HFYD#',
    'relay , 1 #',
    'OUT1,ON#',
    '123456 RELAY,0#',
    'UPGRADE,192.0.2.7#',
    'DNS,example.com#',
    'GPRSON,0#',
  ],
  h02: ['*HQ,1,S20,010203,1,1#', '*HQ,1,S23,010203,192.0.2.7,5300#', '*HQ,1,S25,010203#', '*HQ,1,R1,010203#'],
  jt808: ['RELAY,1#', 'DYD#', 'RESET#', 'IP,192.0.2.7,5300#', 'APN,internet#', '#0;1', 'cut oil'],
  meitrack: ['C01,0,12222', 'A21,1,192.0.2.7,5300,internet,,', 'F01', 'F11', 'C02,0,+39055,hello', 'FC0,1'],
  navis: ['*!1Y', '*!SETOUT 1Y', '*!SETGPRS0 192.0.2.7:5300', '*!EDITS TRANS:SRV1(FLEX,,,192.0.2.7:5300)'],
  ruptela: [
    ' immobilizer 10',
    ' resetimmob',
    ' delrecords',
    ' setio 1,1',
    ' setconnection internet,,,192.0.2.7,5300,TCP',
    ' reset',
  ],
  startek: ['900,1,1', '100,1,192.0.2.7,5300'],
  suntech: [
    'CMD;1;04;01',
    'CMD;1;03;03',
    'ST300CMD;1;02;Reboot',
    'ST300CMD;1;02;Enable1',
    'ST300NTW;1;02;0;internet;;;192.0.2.7;5300;;;;',
  ],
  t800x: ['RELAY,1#', 'IP,192.0.2.7,5300#', 'DOMAIN,example.com,5300#', 'APN,internet,,#', 'RESET#', 'FACTORY#'],
  teltonika: [
    'setdigout 1',
    'setdigout ?1 60',
    'SETDIGOUT 0',
    '  setdigout 1',
    'lvcanblockengine',
    'lvcanunblockengine',
    'cpureset',
    ' cpureset',
    'defaultcfg',
    'deleterecords',
    'setparam 2001:internet',
    'setparam 2004:192.0.2.7;2005:5300',
    'setparam 1000:5;2004:192.0.2.7',
    'setparam  02004:192.0.2.7',
    'web_connect',
    'econnect 192.0.2.7,5300,0',
    'flush 1,internet,,,192.0.2.7,5300,0',
  ],
  tk103: ['AV010', 'AT00', '*turnoff*', '*setip*192*0*2*7*5300*', 'adminip123456 192.0.2.7 5300', 'apn123456 internet'],
  totem: ['025,C,1', '006', '007', '003,0,192.0.2.7,5300', '001,internet,,'],
  watch: ['POWEROFF', 'FACTORY', 'RESET', 'IP,192.0.2.7,5300', 'APN,internet,,,21403', 'UPGRADE,192.0.2.7'],
  wialon: ['L1=1', 'reboot'],
  wialoncombine: ['L1=1', 'OUT1', 'reboot'],
  xirgo: ['+XT:7005,2,1', '+XT:1001,192.0.2.7,5300', '+XT:1003,internet'],
};

test.each(Object.entries(VENDOR_TEXTS))(
  '%s: the vendor’s texts of restart, reset, server, APN, outputs',
  (id, texts) => {
    for (const text of texts) {
      expect(isPrivilegedText(id, text), text).toBe(true);
      const hex = isHex(text) ? text : toHex(Buffer.from(text, 'latin1'));
      expect(isPrivileged(id, 'custom', { data: hex }, { isRaw: true }), `${text} in hex`).toBe(true);
      expect(isPrivilegedText(undefined, text), `${text} to a device of which no protocol is known`).toBe(true);
    }
  },
);

test.each([
  [
    'teltonika',
    [
      'getver',
      'getinfo',
      'getgps',
      'getparam 2004',
      'readio 21',
      'setparam 1000:5',
      'getstatus',
      'setparam 11104:2001',
    ],
  ],
  ['gt06', ['STATUS#', 'WHERE#', 'VERSION#', 'TIMER,10,60#', 'PARAM#', 'SERVER#', 'APN#', 'URL#', 'GMT,E,0,0#']],
  ['meitrack', ['A10', 'A12,6', 'E91', 'D03,1,camera_picture.jpg']],
  ['h02', ['*HQ,1,S71,010203,22,60#', '*HQ,1,D1,010203,60#']],
  ['gl200text', ['AT+GTRTO=gv55,1,,,,,,FFFF$', 'AT+GTRTO=gv55,8,,,,,,FFFF$']],
  ['totem', ['012', '056']],
  ['galileo', ['status', 'inf']],
  ['navis', ['*?A']],
  ['ruptela', ['getinfo', 'coords']],
  ['watch', ['CR', 'UPLOAD,60', 'LZ,1,+1']],
  ['jt808', ['STATUS#', 'TIMER,60#']],
])('%s: questions and intervals are not privileged', (id, texts) => {
  for (const text of texts) expect(isPrivilegedText(id, text), text).toBe(false);
});

test('letters of a serial before the text do not hide it', () => {
  // GT06 online command whose server flag is `aaaa`, and text OUT1,ON#
  expect(isPrivileged('gt06', 'custom', { data: '78780e800c616161614f5554312c4f4e23' }, { isRaw: true })).toBe(true);
});

test('bytes within a packet of the vendor are judged as their text', () => {
  // wiki of the vendor, codec 12: getinfo, and setdigout 1 with a length that is an ASCII digit
  const codec12 = (text: string, length: number) =>
    `00000000000000${(length + 8).toString(16).padStart(2, '0')}0c0105000000${length.toString(16).padStart(2, '0')}${toHex(Buffer.from(text))}0100000000`;
  expect(isPrivileged('teltonika', 'custom', { data: codec12('getinfo', 7) })).toBe(false);
  expect(isPrivileged('teltonika', 'custom', { data: codec12(`setdigout 1${' '.repeat(37)}`, 48) })).toBe(true);
  expect(isPrivileged('teltonika', 'custom', { data: codec12('setparam 2004:192.0.2.7', 23) }, { isRaw: true })).toBe(
    true,
  );
});
