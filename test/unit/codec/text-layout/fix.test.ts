import { describe, expect, it } from 'vitest';
import { accessPoints, cell, fix, number, type Part, parseTime, TextRecord } from '#codec/text';
import { read } from './read.ts';

describe('fix and cells', () => {
  const place: Part[] = [
    fix.time('yyMMddHHmmss'),
    fix.latitude,
    fix.longitude,
    fix.altitude,
    fix.speed(2),
    fix.course(),
  ];

  it('make a position when coordinates and time are known', () => {
    const { record } = read('240601120000,48.5,-11.25,520,10,-90', place);
    const time = Date.UTC(2024, 5, 1, 12);
    expect(record.toPosition()).toEqual({
      type: 'position',
      deviceTime: time,
      fixTime: time,
      valid: true,
      latitude: 48.5,
      longitude: -11.25,
      altitude: 520,
      speed: 20,
      course: 270,
      attributes: {},
    });
  });

  it('make a record without a fix otherwise, with its time', () => {
    const { record } = read('20240601120000,48.5,,1,2', [
      fix.deviceTime('yyyyMMddHHmmss'),
      fix.latitude,
      fix.longitude,
      fix.valid,
      number('a'),
    ]);
    expect(record.toPosition()).toMatchObject({
      deviceTime: Date.UTC(2024, 5, 1, 12),
      outdated: true,
      attributes: { a: 2 },
    });
  });

  it('take the day and the time of it from two fields', () => {
    const parts = [fix.day('dd/MM/yyyy'), fix.timeOfDay('HH:mm'), fix.latitude, fix.longitude, fix.validWhen('A')];
    expect(read('01/06/2024,12:30,1,2,A', parts).record.toPosition()).toMatchObject({
      fixTime: Date.UTC(2024, 5, 1, 12, 30),
      valid: true,
    });
    expect(read('01/06/2024,,1,2,', parts).record.toPosition()).toMatchObject({
      fixTime: Date.UTC(2024, 5, 1),
      valid: false,
    });
  });

  it('read minutes behind degrees, and times in a format that is a fact', () => {
    const parts = [fix.time({ variable: 'format' }), fix.latitudeInMinutes, fix.longitudeInMinutes];
    expect(read('2406011230,+4807.5,-01130.000', parts, new TextRecord({ format: 'yyMMddHHmm' })).record).toMatchObject(
      {
        fixTime: Date.UTC(2024, 5, 1, 12, 30),
        latitude: 48.125,
        longitude: -11.5,
      },
    );
    expect(read('20240601123000,+4807.5,4807.5', parts).record).toMatchObject({
      latitude: 48.125,
      longitude: undefined,
    });
  });

  it('keep coordinates off the globe as raw values', () => {
    expect(read('240601120000,91,0', place).record.toPosition()).toMatchObject({
      outdated: true,
      attributes: { rawLatitude: 91, rawLongitude: 0 },
    });
  });

  it('say that a fix is not valid', () => {
    expect(read('0,240601120000,1,1', [fix.valid, ...place]).record.toPosition()).toMatchObject({
      valid: false,
      latitude: 1,
    });
  });

  it('add cells whose required parts are known', () => {
    const parts = [cell.mcc, cell.mnc, cell.lacHex, cell.cidHex, cell.dbm];
    expect(read('0262,02,1450,9F13,57', [...parts, cell.end()]).record.toPosition().network).toEqual({
      cells: [{ mcc: 262, mnc: 2, lac: 0x1450, cid: 0x9f13, rssi: -57 }],
    });
    expect(read('0262,,1450,9F13,', [...parts, cell.end()]).record.toPosition().network).toBeUndefined();
    expect(
      read('0262,,10,20', [cell.mcc, cell.mnc, cell.lac, cell.cid, cell.end('mcc')]).record.toPosition().network,
    ).toEqual({ cells: [{ mcc: 262, mnc: 0, lac: 10, cid: 20 }] });
  });

  it('read seconds, parts of a degree, and an operator in one text', () => {
    const parts = [
      fix.unixTime,
      fix.latitudePer(1e6),
      fix.longitudePer(1e6),
      cell.operator,
      cell.lac,
      cell.cid,
      cell.rssi,
    ];
    const position = read('1717243200,48125000,-11500000,26202,10,20,57', [...parts, cell.end()]).record.toPosition();
    expect(position).toMatchObject({ fixTime: 1_717_243_200_000, latitude: 48.125, longitude: -11.5 });
    expect(position.network).toEqual({ cells: [{ mcc: 262, mnc: 2, lac: 10, cid: 20, rssi: 57 }] });
    expect(read('1,x', [fix.unixTime, fix.latitudePer(10)])).toMatchObject({ isWhole: false, at: 1 });
    expect(read('262', [cell.operator])).toMatchObject({ isWhole: false, at: 0 });
  });

  it('add access points with any separator', () => {
    const { record } = read('AABBCCDDEEFF:-60|x|aabbccddee00:7', [accessPoints(/([0-9A-Fa-f]{12}):(-?\d{1,3})/g)]);
    expect(record.toPosition().network).toEqual({
      wifi: [
        { mac: 'AA:BB:CC:DD:EE:FF', rssi: -60 },
        { mac: 'aa:bb:cc:dd:ee:00', rssi: -7 },
      ],
    });
  });

  it('read times in any order of parts', () => {
    expect(parseTime('31/12/2023 23:59:58', 'dd/MM/yyyy HH:mm:ss')).toBe(Date.UTC(2023, 11, 31, 23, 59, 58));
    expect(parseTime('2405', 'yyMM')).toBe(Date.UTC(2024, 4, 1));
    expect(parseTime('24x5', 'yyMM')).toBeUndefined();
    expect(parseTime('240', 'yyMM')).toBeUndefined();
  });
});
