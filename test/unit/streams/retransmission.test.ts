import { describe, expect, test } from 'vitest';
import { Driver, type Position, toHex } from '#codec';
import egts from '../../../protocols/egts/index.ts';
import retranslator from '../../../protocols/retranslator/index.ts';
import wialon from '../../../protocols/wialon/index.ts';
import { packetBytes, recordBytes } from '../../../src/server/live/brokers/retransmission/egts/packet.ts';
import { partsOf } from '../../../src/server/live/brokers/retransmission/egts/position.ts';
import { type Report, reportsOf } from '../../../src/server/live/brokers/retransmission/report.ts';
import { dataPacket, loginPacket } from '../../../src/server/live/brokers/retransmission/wialon/ips.ts';
import { retranslatorPacket } from '../../../src/server/live/brokers/retransmission/wialon/retranslator.ts';
import { retransmitted } from '../../support/retransmitted.ts';

const report = (device: string, data: object): Report => reportsOf([retransmitted(device, data)]).reports[0]!;

/** The one position that a protocol of ours reads from bytes. */
function read(protocol: typeof wialon | typeof egts | typeof retranslator, ...chunks: Uint8Array[]): Position {
  const driver = new Driver<never>(protocol as never, { transport: 'tcp', options: {} });
  const positions = chunks.flatMap((chunk) =>
    driver.push(chunk, 0).flatMap((step) => (step.type === 'frame' ? step.messages : [])),
  );
  return positions.find((message) => message.type === 'position') as Position;
}

describe('Wialon IPS 2.0', () => {
  test('logs in as the example of the document', () => {
    expect(loginPacket('imei', undefined).toString()).toBe('#L#2.0;imei;NA;A932\r\n');
  });

  test('writes the extended data packet that is the example of the document', () => {
    const packet = dataPacket(
      report('imei', {
        fixTime: '2012-10-23T15:39:59Z',
        latitude: 53 + 54.4926 / 60,
        longitude: 27 + 31.4499 / 60,
        speed: 0,
        course: 0,
        altitude: 300,
        attributes: {
          sat: 7,
          hdop: 1.1,
          input: 0,
          output: 0,
          adc1: 1,
          adc2: 0,
          adc3: 0,
          adc4: 0,
          ignition: true,
          dparam: Number('3.14159265'),
          tparam: 'lorem',
          iparam: -55,
          alarm: 'sos',
        },
      }),
    );
    expect(packet.toString()).toBe(
      '#D#231012;153959;5354.49260;N;02731.44990;E;0;0;300;7;1.1;0;0;1,0,0,0;NA;' +
        'ign:1:1,dparam:2:3.14159265,tparam:3:lorem,iparam:1:-55,SOS:1:1;4BC3\r\n',
    );
  });

  test('sends missing fields as absent, and no coordinates without a fix', () => {
    const lacking = dataPacket(report('a', { fixTime: '2026-05-01T08:00:00Z', latitude: -0.5, longitude: -120 }));
    expect(lacking.toString()).toMatch(/^#D#010526;080000;0030\.00000;S;12000\.00000;W;NA;NA;NA;NA;NA;NA;NA;;NA;;/);
    const last = { deviceTime: '2026-05-01T09:00:00Z', fixTime: '2026-05-01T08:00:00Z', outdated: true };
    const outdated = dataPacket(report('a', { ...last, latitude: 1, longitude: 2, altitude: 3, speed: 0 }));
    expect(outdated.toString()).toMatch(/^#D#010526;090000;NA;NA;NA;NA;0;NA;NA;NA;/);
  });

  test('rounds as the format does', () => {
    const values = { latitude: 59.99999999, longitude: 9.99999999, speed: 52.5, course: 359.6, altitude: -0.6 };
    expect(dataPacket(report('a', { fixTime: '2026-05-01T08:00:00.999Z', ...values })).toString()).toMatch(
      /^#D#010526;080000;6000\.00000;N;01000\.00000;E;53;0;-1;/,
    );
  });

  test('keeps separators out of parameters', () => {
    const attributes = { oddText: 'a;b,c|d#e\r\nf', 'odd:name, too': 1, empty: '', adc2: 5, driverUniqueId: 'x;y' };
    const text = dataPacket(report('a', { fixTime: '2026-05-01T08:00:00Z', attributes })).toString();
    expect(text.split(';')).toHaveLength(17);
    expect(text.split(';')[15]).toBe('odd_text:3:a b c d e  f,odd_name__too:1:1,adc2:1:5,driver_unique_id:3:x y');
  });

  test('is readable by our own decoder', () => {
    const data = {
      fixTime: '2026-05-01T08:00:00Z',
      latitude: -33.123456,
      longitude: -70.654321,
      speed: 50,
      course: 271,
      altitude: 520,
      network: { cells: [{ mcc: 222, mnc: 1, lac: 10, cid: 20 }] },
      attributes: { sat: 9, hdop: 0.9, input: 5, adc1: 12.5, power: 12.61, batteryLevel: 80 },
    };
    const position = read(wialon, loginPacket('a', 'secret'), dataPacket(report('a', data)));
    expect(position).toMatchObject({
      valid: true,
      fixTime: Date.parse(data.fixTime),
      latitude: expect.closeTo(data.latitude, 6),
      longitude: expect.closeTo(data.longitude, 6),
      speed: 50,
      course: 271,
      altitude: 520,
      network: { cells: [{ mcc: 222, mnc: 1, lac: 10, cid: 20 }] },
      attributes: { sat: 9, hdop: 0.9, input: '5', adc1: '12.5', pwr_ext: 12.61, battery_level: 80 },
    });
  });
});

describe('Wialon Retranslator 1.0', () => {
  test('writes the packet that is the example of the document', () => {
    const double = (hex: string): number => Buffer.from(hex, 'hex').readDoubleLE();
    const bytes = retranslatorPacket(
      report('353976013445485', {
        fixTime: new Date(0x4b0bfb70 * 1_000).toISOString(),
        latitude: double('3ac7253383dd4b40'),
        longitude: double('a027afdf5d984840'),
        altitude: 106,
        speed: 54,
        course: 326,
        attributes: { sat: 11, power: 27.593, input: 1 },
      }),
    );
    expect(toHex(bytes)).toBe(
      '74000000333533393736303133343435343835004b0bfb70000000030bbb000000270102706f73696e666f00a027afdf5d9848403ac7253383dd' +
        '4b400000000000805a40003601460b0bbb0000001200047077725f657874002b8716d9ce973b400bbb00000011010361766c5f696e7075747300' +
        '00000001',
    );
  });

  test('leaves out the place of a record without a fix, and is readable by our own decoder', () => {
    const attributes = { alarm: 'sos', counter: 5_000_000_000, negative: -7, note: 'ü', ratio: 0.5, ignition: true };
    const without = read(retranslator, retranslatorPacket(report('a-1', { attributes })));
    expect(without).toMatchObject({ valid: false, deviceId: 'a-1' });
    expect(without.latitude ?? 0).toBe(0);
    expect(without.attributes).toMatchObject({ alarm: 'general', counter: 5e9, negative: -7, ratio: 0.5, ign: 1 });
    const fix = { fixTime: '2026-05-01T08:00:00Z', latitude: -1.5, longitude: 2.5, speed: 3.4, course: 359.7 };
    expect(read(retranslator, retranslatorPacket(report('a-1', fix)))).toMatchObject({
      valid: true,
      fixTime: Date.parse(fix.fixTime),
      latitude: -1.5,
      longitude: 2.5,
      speed: 3,
      course: 0,
    });
  });
});

describe('EGTS', () => {
  const full = {
    fixTime: '2026-05-01T08:00:00.900Z',
    latitude: 45,
    longitude: -90,
    altitude: -12.4,
    speed: 52.37,
    course: 300.2,
    attributes: { odometer: 123_456, input: 5, hdop: 0.81, sat: 11, archive: true, motion: true, alarm: 'sos' },
  };
  const position = (data: object): string => toHex(partsOf(report('1', data))[0]!.content);

  test('has the fields of tables 2 and 4 of order 285', () => {
    const [main, extended] = partsOf(report('1', full));
    // NTM, LAT and LONG as whole parts, FLG (all but LAHS and CS), SPD with ALTS and DIRH
    const ntm = Buffer.alloc(4);
    ntm.writeUInt32LE((Date.UTC(2026, 4, 1, 8) - Date.UTC(2010, 0, 1)) / 1_000);
    expect(toHex(main!.content)).toBe(
      [ntm.toString('hex'), 'ffffff7f', 'ffffff7f', 'db', '0cc2', '2c', 'd30400', '05', '0d', '0c0000'].join(''),
    );
    expect(main!.type).toBe(16);
    // HFE, SFE and NSFE; HDOP in hundredths, SAT, NS 0: not determined
    expect(toHex(extended!.content)).toBe('1a51000b0000');
    expect(extended!.type).toBe(17);
  });

  test('marks a record without a fix as not valid, and leaves out altitude and missing fields', () => {
    const [main, ...others] = partsOf(report('1', { deviceTime: '2010-01-01T00:00:01Z', attributes: {} }));
    expect(toHex(main!.content)).toBe(`01000000${'00'.repeat(17)}`);
    expect(others).toEqual([]);
  });

  test('names why a record was sent', () => {
    const source = (data: object): string => position(data).slice(40, 42);
    expect(source({ attributes: { ignition: false } })).toBe('05');
    expect(source({ attributes: { alarm: 'geofence,hardBraking', ignition: false } })).toBe('15');
  });

  test('is readable by our own decoder', () => {
    const one = report('4000000001', full);
    const record = { number: 7, service: 2, object: 4_000_000_001, time: one.time, parts: partsOf(one) };
    const bytes = packetBytes({ id: 9, type: 1, data: recordBytes(record) });
    expect(read(egts, bytes)).toMatchObject({
      valid: true,
      deviceId: '4000000001',
      fixTime: Date.parse('2026-05-01T08:00:00Z'),
      latitude: expect.closeTo(45, 6),
      longitude: expect.closeTo(-90, 6),
      altitude: -12,
      speed: 52.4,
      course: 300,
      attributes: { odometer: 123_500, input: 5, hdop: 0.81, sat: 11, archive: true, motion: true, event: 13 },
    });
  });
});
