import { describe, expect, it } from 'vitest';
import { Draft } from '#codec';

const TIME = Date.UTC(2024, 5, 1);

describe('Draft', () => {
  it('is a record without a fix until it has one', () => {
    const draft = new Draft({ sat: 3 });
    draft.deviceTime = TIME;
    expect(draft.toPosition()).toEqual({
      type: 'position',
      deviceTime: TIME,
      valid: false,
      outdated: true,
      attributes: { sat: 3 },
    });
  });

  it('is empty until anything has been read into it', () => {
    expect(new Draft().isEmpty).toBe(true);
    expect(new Draft({ sat: 3 }).isEmpty).toBe(false);
    const filled: ((draft: Draft) => void)[] = [
      (draft) => draft.setFix(TIME, true, 48, 11),
      (draft) => draft.addCell({ mcc: 222, mnc: 1, lac: 2, cid: 3 }),
      (draft) => draft.addAccessPoint('0a:1b:2c:3d:4e:5f'),
      (draft) => draft.addAlarm('sos'),
      (draft) => {
        draft.deviceTime = TIME;
      },
    ];
    for (const fill of filled) {
      const draft = new Draft();
      fill(draft);
      expect(draft.isEmpty).toBe(false);
    }
  });

  it('uses the time of the fix as device time if there is no other', () => {
    const draft = new Draft();
    draft.setFix(TIME, true, 48, 11);
    draft.setMovement(500, 60, 90);
    draft.accuracy = 7;
    draft.deviceId = '1';
    expect(draft.toPosition()).toEqual({
      type: 'position',
      deviceId: '1',
      deviceTime: TIME,
      fixTime: TIME,
      valid: true,
      latitude: 48,
      longitude: 11,
      altitude: 500,
      speed: 60,
      course: 90,
      accuracy: 7,
      attributes: {},
    });
  });

  it('lists alarms, and equal cells and access points once', () => {
    const draft = new Draft();
    draft.addAlarm(undefined);
    draft.addAlarm('sos');
    draft.addAlarm('tow');
    const cell = { mcc: 262, mnc: 1, lac: 2, cid: 3 };
    draft.addCell(cell);
    draft.addCell({ ...cell });
    draft.addCell({ ...cell, rssi: -70 });
    draft.addAccessPoint('02:00:00:00:00:01', -50);
    draft.addAccessPoint('02:00:00:00:00:01', -50);
    draft.addAccessPoint('02:00:00:00:00:02');
    expect(draft.toPosition()).toEqual({
      type: 'position',
      valid: false,
      outdated: true,
      network: {
        cells: [cell, { ...cell, rssi: -70 }],
        wifi: [{ mac: '02:00:00:00:00:01', rssi: -50 }, { mac: '02:00:00:00:00:02' }],
      },
      attributes: { alarm: 'sos,tow' },
    });
  });

  it('has access points without cells, and cells without access points', () => {
    const wifi = new Draft();
    wifi.addAccessPoint('02:00:00:00:00:02');
    expect(wifi.toPosition().network).toEqual({ wifi: [{ mac: '02:00:00:00:00:02' }] });
    const cells = new Draft();
    cells.addCell({ mcc: 1, mnc: 2, lac: 3, cid: 4 });
    expect(cells.toPosition().network).toEqual({ cells: [{ mcc: 1, mnc: 2, lac: 3, cid: 4 }] });
  });

  it('keeps coordinates off the globe as raw values, and drops what is not a number', () => {
    const draft = new Draft();
    draft.setFix(TIME, true, Number.NaN, 181);
    draft.setNumber('fuel', Number.POSITIVE_INFINITY);
    expect(draft.toPosition()).toEqual({
      type: 'position',
      deviceTime: TIME,
      valid: false,
      outdated: true,
      attributes: { rawLongitude: 181 },
    });
  });

  it('leaves out times that no calendar has, and movement that is not a number', () => {
    const draft = new Draft();
    draft.setFix(9e15, true, 1, 2);
    draft.setMovement(Number.NaN, Number.NaN, Number.NaN);
    const position = draft.toPosition();
    expect(position).not.toHaveProperty('fixTime');
    for (const name of ['altitude', 'speed', 'course']) expect(position).not.toHaveProperty(name);
  });
});
