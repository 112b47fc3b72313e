import { describe, expect, it } from 'vitest';
import { BackPressure } from '../../../src/gateway/connection/back-pressure.ts';

const KIB = 1024;

describe('back-pressure', () => {
  it('pauses above 256 KiB that are not durable, and not at it', () => {
    const pressure = new BackPressure({ hasRoom: true });
    expect(pressure.begin(256 * KIB)).toBe(false);
    expect(pressure.begin(1)).toBe(true);
    expect(pressure.isPaused).toBe(true);
  });

  it('is released once enough is durable, and says so once', () => {
    const pressure = new BackPressure({ hasRoom: true });
    pressure.begin(200 * KIB);
    pressure.begin(200 * KIB);
    expect(pressure.release()).toBe(false);
    pressure.settle(200 * KIB);
    expect(pressure.isPaused).toBe(true);
    expect([pressure.release(), pressure.isPaused]).toEqual([true, false]);
    expect(pressure.release()).toBe(false);
  });

  it('pauses while the spool is full, however little is pending', () => {
    const recorder = { hasRoom: false };
    const pressure = new BackPressure(recorder);
    expect(pressure.begin(1)).toBe(true);
    pressure.settle(1);
    expect(pressure.release()).toBe(false);
    recorder.hasRoom = true;
    expect(pressure.release()).toBe(true);
  });

  it('is paused from outside, until it is released', () => {
    const pressure = new BackPressure({ hasRoom: true });
    pressure.pause();
    expect([pressure.isPaused, pressure.begin(1)]).toEqual([true, true]);
    expect(pressure.release()).toBe(true);
  });

  it('knows whether an append is pending, also one of no bytes', () => {
    const pressure = new BackPressure({ hasRoom: true });
    pressure.begin(0);
    pressure.begin(5);
    pressure.settle(5);
    expect(pressure.hasPending).toBe(true);
    pressure.settle(0);
    expect(pressure.hasPending).toBe(false);
  });
});
