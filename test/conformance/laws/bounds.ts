import { CodecError, toHex } from '#codec';
import { clockOf, Findings, type Law, momentsOf } from './subject.ts';

/** Bytes that remember whether someone asked for one behind their end. */
function guarded(bytes: Uint8Array): { proxy: Uint8Array; past: () => number | undefined } {
  let past: number | undefined;
  const proxy = new Proxy(bytes, {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key) && Number(key) >= target.length) past ??= Number(key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { proxy, past: () => past };
}

/** A frame that is cut short may be refused, or mean what is left of it; never what is not there. */
export const bounds: Law = {
  name: 'nothing is made of bytes behind the end of a frame',
  check(subject) {
    const found = new Findings();
    for (const { fixture, place, content, wire, state } of momentsOf(subject)) {
      const context = { transport: fixture.transport, state, options: fixture.options ?? {}, now: clockOf(fixture) };
      const whole = content ?? wire;
      const step = Math.max(1, Math.floor(whole.length / 150));
      for (let length = whole.length; length > 0 && !found.enough; length -= step) {
        const { proxy, past } = guarded(whole.slice(0, length));
        try {
          const { messages } = subject.protocol.decode(proxy, context);
          const at = past();
          if (at === undefined || messages.length === 0) continue;
          found.add(place, `reads byte ${at} of ${length} and makes something of ${toHex(whole, 0, length)}`);
        } catch (error) {
          if (error instanceof CodecError) continue;
          // What Node itself implements may not take a stand-in for bytes; then this cannot be asked.
          if (!(error instanceof TypeError)) throw error;
        }
      }
    }
    return found.violations;
  },
};
