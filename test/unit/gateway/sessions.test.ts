import { describe, expect, it } from 'vitest';
import type { Link } from '../../../src/gateway/connection/link.ts';
import { Admission } from '../../../src/gateway/sessions/admission.ts';
import { Sessions } from '../../../src/gateway/sessions/sessions.ts';

interface FakeLink extends Link {
  closedFor: string | undefined;
}

let made = 0;
const link = (): FakeLink => ({
  id: `c${++made}`,
  transport: 'tcp',
  remote: '127.0.0.1:1',
  protocol: 'example',
  openedAt: 0,
  lastByteAt: 0,
  driver: undefined,
  deviceId: undefined,
  devices: undefined,
  closedFor: undefined,
  write: () => {},
  deliver: () => {},
  close(reason) {
    this.closedFor = reason;
  },
});

const types = (events: readonly { type: string }[]) => events.map((e) => e.type);

describe('sessions', () => {
  it('opens once for a device that says who it is in every frame', () => {
    const sessions = new Sessions(new Admission(true));
    const a = link();
    expect(types(sessions.login(a, ['1'], 5).events)).toEqual(['session-opened']);
    expect(sessions.login(a, ['1'], 6).events).toEqual([]);
    expect(a.deviceId).toBe('1');
  });

  it('lets the newer connection take a device over and closes the older one', () => {
    const sessions = new Sessions(new Admission(true));
    const [older, newer] = [link(), link()];
    sessions.login(older, ['1'], 0);
    const { events } = sessions.login(newer, ['1'], 1);
    expect(events.map((e) => ('conn' in e ? [e.type, e.conn] : []))).toEqual([
      ['session-taken-over', newer.id],
      ['session-closed', older.id],
      ['session-opened', newer.id],
    ]);
    expect(older.closedFor).toBe('taken over');
    expect(sessions.end(older, 'closed', 2)).toEqual([]);
    expect(sessions.linkOf('1')).toBe(newer);
  });

  it('does not close an older connection that carries another device', () => {
    const sessions = new Sessions(new Admission(true));
    const [relay, own] = [link(), link()];
    sessions.login(relay, ['1'], 0);
    sessions.login(relay, ['2'], 0);
    sessions.login(own, ['1'], 1);
    expect(relay.closedFor).toBeUndefined();
    expect(types(sessions.end(relay, 'gone', 2))).toEqual(['session-closed']);
    expect(sessions.size).toBe(1);
  });

  it('refuses an unknown device only when the list is known, and reports its attempts once a minute', () => {
    const admission = new Admission(false);
    const sessions = new Sessions(admission);
    expect(sessions.login(link(), ['9'], 0).admission).toBe('unsure');
    admission.apply({ type: 'devices', devices: [{ imei: '1' }] });
    expect(sessions.login(link(), ['9'], 0).admission).toBe('unsure');
    admission.apply({ type: 'devices-end' });
    expect(sessions.login(link(), ['1'], 0).admission).toBe('known');
    const first = sessions.login(link(), ['9'], 0);
    expect([first.admission, types(first.events)]).toEqual(['refused', ['knock']]);
    expect(sessions.login(link(), ['9'], 59_999).events).toEqual([]);
    expect(types(sessions.login(link(), ['9'], 60_000).events)).toEqual(['knock']);
  });

  it('knows a device by any spelling of its id', () => {
    const admission = new Admission(false);
    admission.apply({ type: 'devices', devices: [{ imei: '0012' }] });
    admission.apply({ type: 'devices-end' });
    expect(new Sessions(admission).login(link(), ['12', '0012'], 0)).toMatchObject({
      admission: 'known',
      deviceId: '0012',
    });
  });

  it('ignores an invalid id', () => {
    const sessions = new Sessions(new Admission(true));
    expect(sessions.login(link(), ['a b'], 0).admission).toBe('no-id');
    expect(sessions.login(link(), ['x'.repeat(65)], 0).admission).toBe('no-id');
  });
});

describe('admission', () => {
  it('keeps the old list while a new one is received, and if that ends half-way', () => {
    const admission = new Admission(false);
    admission.apply({ type: 'devices', devices: [{ imei: '1' }] });
    admission.apply({ type: 'devices-end' });
    admission.apply({ type: 'devices', devices: [{ imei: '2' }] });
    expect([admission.check('1'), admission.check('2')]).toEqual(['known', 'refused']);
    admission.interrupted();
    admission.apply({ type: 'devices', devices: [{ imei: '3' }] });
    admission.apply({ type: 'devices-end' });
    expect(['1', '2', '3'].map((id) => admission.check(id))).toEqual(['refused', 'refused', 'known']);
  });

  it('takes changes, and gives the same options object until they change', () => {
    const admission = new Admission(false);
    admission.apply({ type: 'device', device: { imei: '1', options: { model: 'FMB130' } } });
    const before = admission.optionsOf(['1']);
    admission.apply({ type: 'device', device: { imei: '1', options: { model: 'FMB130' } } });
    expect(admission.optionsOf(['1'])).toBe(before);
    admission.apply({ type: 'device', device: { imei: '1', options: { model: 'FMC650' } } });
    expect(admission.optionsOf(['1'])).toEqual({ model: 'FMC650' });
    admission.apply({ type: 'device-removed', imei: '1' });
    expect(admission.optionsOf(['1'])).toEqual({});
  });

  it('limits the sessions of devices that are not registered, and never those of registered ones', () => {
    const admission = new Admission(true);
    const sessions = new Sessions(admission, undefined, undefined, undefined, undefined, 2);
    const [relay, other] = [link(), link()];
    const results = ['1', '2', '3'].map((id) => sessions.login(relay, [id], 0).admission);
    expect(results).toEqual(['open', 'open', 'unsure']);
    expect(sessions.size).toBe(2);
    expect(sessions.login(other, ['2'], 1).admission).toBe('open');
    admission.apply({ type: 'device', device: { imei: '3' } });
    expect(sessions.login(relay, ['3'], 2).admission).toBe('known');
    expect(sessions.size).toBe(3);
  });
});
