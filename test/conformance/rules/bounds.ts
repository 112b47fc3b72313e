import { CodecError, toHex } from '#codec';
import { clockOf, frameCasesOf, type Rule, ViolationList } from './subject.ts';

/** Bytes that record a read behind their end. */
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

/** A truncated frame may be refused, or decoded as far as it goes; bytes that are not there are never read. */
export const bounds: Rule = {
  name: 'bytes behind the end of a frame are never read',
  check(subject) {
    const found = new ViolationList();
    for (const { fixture, place, content, wire, state } of frameCasesOf(subject)) {
      const context = { transport: fixture.transport, state, options: fixture.options ?? {}, now: clockOf(fixture) };
      const whole = content ?? wire;
      const step = Math.max(1, Math.floor(whole.length / 150));
      for (let length = whole.length; length > 0 && !found.enough; length -= step) {
        const { proxy, past } = guarded(whole.slice(0, length));
        try {
          const { messages } = subject.protocol.decode(proxy, context);
          const at = past();
          if (at === undefined || messages.length === 0) continue;
          found.add(place, `reads byte ${at} of ${length} and decodes ${toHex(whole, 0, length)}`);
        } catch (error) {
          if (error instanceof CodecError) continue;
          // Functions that Node implements natively may not accept a proxy for bytes; then this cannot be checked.
          if (!(error instanceof TypeError)) throw error;
        }
      }
    }
    return found.violations;
  },
};
