import { describe, expect, it } from 'vitest';
import type { StreamProtocol } from '#codec';
import { example } from '../../conformance/example-protocol.ts';
import { frame, HEARTBEAT, HeldConnection, LOGIN, nextTurn } from './held-connection.ts';

const twin = { ...example, id: 'twin' } as StreamProtocol;
const several = [example as StreamProtocol, twin];

describe('a connection', () => {
  it('acknowledges a login when its records are durable', async () => {
    const held = new HeldConnection();
    held.receive(LOGIN);
    expect(held.events).toEqual(['session-opened']);
    expect(held.socket.written).toEqual([]);
    await held.makeDurable();
    expect(held.socket.written).toHaveLength(1);
  });

  it('is not read while frames of a slice are left, and takes them in the next turns', async () => {
    const held = new HeldConnection();
    held.receive(LOGIN, HEARTBEAT, HEARTBEAT, HEARTBEAT);
    expect([held.socket.isReading, held.events.length]).toEqual([false, 2]);
    await nextTurn();
    await nextTurn();
    expect([held.socket.isReading, held.events.length]).toEqual([true, 4]);
  });

  it('is not read while a session is looked up, and goes on in order', async () => {
    const held = new HeldConnection();
    held.sessions.isLookUpNeeded = true;
    held.receive(LOGIN, HEARTBEAT, HEARTBEAT);
    expect([held.socket.isReading, held.events]).toEqual([false, []]);
    await held.answerLookUp();
    await nextTurn();
    expect([held.socket.isReading, held.events]).toEqual([true, ['session-opened', 'heartbeat', 'heartbeat']]);
  });

  it('takes what is left when the device closes, before its session ends', () => {
    const held = new HeldConnection();
    held.receive(LOGIN, HEARTBEAT, HEARTBEAT, HEARTBEAT, HEARTBEAT);
    held.connection.onClose();
    expect(held.events).toEqual(['session-opened', ...Array(4).fill('heartbeat'), 'session-closed']);
  });

  it('takes what is left after a look-up, although the device has closed', async () => {
    const held = new HeldConnection();
    held.sessions.isLookUpNeeded = true;
    held.receive(LOGIN, HEARTBEAT, HEARTBEAT, HEARTBEAT, HEARTBEAT);
    held.connection.onClose();
    expect(held.events).toEqual([]);
    await held.answerLookUp();
    expect(held.events).toEqual(['session-opened', ...Array(4).fill('heartbeat'), 'session-closed']);
  });

  it('looks up a second time among what is left when the device has closed', async () => {
    const held = new HeldConnection();
    held.receive(LOGIN, HEARTBEAT, HEARTBEAT, HEARTBEAT);
    held.sessions.isLookUpNeeded = true;
    held.connection.onClose();
    expect(held.events).toEqual(['session-opened', 'heartbeat']);
    await held.answerLookUp();
    expect(held.events).toEqual(['session-opened', ...Array(3).fill('heartbeat'), 'session-closed']);
  });

  it('takes first bytes at the end of the connection that no longer bytes would decide', () => {
    const held = new HeldConnection({ protocols: several });
    held.receive(LOGIN);
    held.connection.onClose();
    expect(held.connection.closeReason).toBe('protocol not recognised');
    const single = new HeldConnection({ protocols: [{ ...twin, identify: () => 'more' } as StreamProtocol, twin] });
    single.receive(LOGIN.subarray(0, 8));
    single.connection.onClose();
    expect(single.connection.protocol).toBe('twin');
  });

  it('does not acknowledge what it has not taken when it is closed', async () => {
    const held = new HeldConnection();
    held.sessions.isLookUpNeeded = true;
    held.receive(LOGIN);
    held.connection.close('gateway stops');
    await held.answerLookUp();
    await held.makeDurable();
    expect([held.socket.written, held.events]).toEqual([[], []]);
  });

  it('is ended after its last acknowledgement, and read until the device ends it', async () => {
    const held = new HeldConnection();
    held.receive(LOGIN);
    held.connection.close('taken over');
    expect([held.socket.hasEnded, held.socket.isReading]).toEqual([false, false]);
    await held.makeDurable();
    expect(held.socket.written).toHaveLength(1);
    expect([held.socket.hasEnded, held.socket.isReading]).toEqual([true, true]);
    held.receive(HEARTBEAT);
    expect(held.events).not.toContain('heartbeat');
  });

  it('is destroyed if the device does not end it within 5 s', () => {
    const held = new HeldConnection();
    held.connection.close('silent');
    held.sweepAfter(4_999);
    held.connection.close('again');
    expect(held.socket.destroyed).toBe(false);
    held.sweepAfter(1);
    expect(held.socket.destroyed).toBe(true);
    expect(held.connection.closeReason).toBe('silent');
  });

  it('is destroyed after 10 s without FIN if the device list is not known', async () => {
    const held = new HeldConnection({ hasDeviceList: false });
    held.receive(LOGIN);
    await held.makeDurable();
    held.sweepAfter(9_999);
    expect([held.socket.hasEnded, held.socket.isReading, held.socket.destroyed]).toEqual([false, false, false]);
    held.sweepAfter(1);
    expect(held.socket.destroyed).toBe(true);
  });

  it('stops reading for good, and acknowledges what it has taken', async () => {
    const held = new HeldConnection();
    held.receive(LOGIN);
    held.connection.stopReading();
    held.receive(HEARTBEAT);
    held.connection.resumeReading();
    await held.makeDurable();
    expect([held.socket.isReading, held.socket.hasEnded, held.events]).toEqual([false, false, ['session-opened']]);
    expect(held.socket.written).toHaveLength(1);
    held.sweepAfter(1_000_000);
    expect(held.socket.destroyed).toBe(false);
  });

  it('does not read while the spool is full', () => {
    const held = new HeldConnection();
    held.recorder.hasRoom = false;
    held.receive(LOGIN);
    held.connection.resumeReading();
    expect(held.socket.isReading).toBe(false);
    held.recorder.hasRoom = true;
    held.connection.resumeReading();
    expect(held.socket.isReading).toBe(true);
  });

  it('does not read for a freed spool while frames of a slice are left', async () => {
    const held = new HeldConnection();
    held.recorder.hasRoom = false;
    held.receive(LOGIN, HEARTBEAT, HEARTBEAT);
    held.recorder.hasRoom = true;
    held.connection.resumeReading();
    expect(held.socket.isReading).toBe(false);
    await nextTurn();
    expect(held.socket.isReading).toBe(true);
  });

  it('reads no further with more than 256 KiB that are not durable', async () => {
    const held = new HeldConnection();
    held.receive(LOGIN);
    const long = frame(0x03, ...Array(254).fill(0));
    const frames = Math.floor((256 * 1024 - LOGIN.length) / long.length);
    for (let n = 0; n < frames; n++) held.receive(long);
    expect(held.socket.isReading).toBe(true);
    held.receive(long);
    expect(held.socket.isReading).toBe(false);
    await held.makeDurable();
    expect(held.socket.isReading).toBe(true);
  });
});
