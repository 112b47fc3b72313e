import { describe, expect, it } from 'vitest';
import { accessPointTexts, bcdPlace } from '#codec/binary';
import { ascii, read } from '../../../support/layouts.ts';

describe('coordinates in decimal digits', () => {
  // 22° 30.6000' and 114° 15.3000'; north is bit 2, east bit 4.
  it.each([
    ['6', 22.51, 114.255],
    ['2', 22.51, -114.255],
    ['4', -22.51, 114.255],
    ['0', -22.51, -114.255],
  ])('have their hemispheres in the last four bits (%s)', (flags, latitude, longitude) => {
    const { latitude: north, longitude: east } = read(bcdPlace(2, 4), `22306000114153000${flags}`);
    expect(north).toBeCloseTo(latitude, 9);
    expect(east).toBeCloseTo(longitude, 9);
  });
});

describe('access points as text', () => {
  const found = (text: string) => read(accessPointTexts, ascii(text)).toPosition().network?.wifi;

  it('are pairs of address and strength, whose sign may be left out', () => {
    expect(found('aa:bb:cc:dd:ee:ff,-60,01:02:03:04:05:06,71')).toEqual([
      { mac: 'aa:bb:cc:dd:ee:ff', rssi: -60 },
      { mac: '01:02:03:04:05:06', rssi: -71 },
    ]);
  });

  it('leave out what is no address, no strength or no pair', () => {
    expect(found('aa:bb,-60,01:02:03:04:05:06,x,0a:02:03:04:05:06,-5,01:02:03:04:05:07')).toEqual([
      { mac: '0a:02:03:04:05:06', rssi: -5 },
    ]);
    expect(found('')).toBeUndefined();
  });
});
