import { messagesOf } from './decoded.ts';
import { clockOf, frameCasesOf, type Rule, resume, ViolationList } from './subject.ts';

/**
 * A device deletes what is acknowledged, so a decoded frame with a reply must leave something: a record, an answer, a
 * file or a heartbeat. A login is what a login frame carries. Frames whose type carries nothing are named by
 * `carriesNothing` in the protocol's description. A frame that does not decode is kept as a raw frame.
 */
export const kept: Rule = {
  name: 'nothing that is acknowledged vanishes',
  check(subject) {
    const { protocol } = subject;
    const found = new ViolationList();
    const hasLoginFrame = protocol.simulator.login !== undefined;
    for (const one of frameCasesOf(subject)) {
      const { fixture, place, wire, state, content } = one;
      const isNamed = (protocol.carriesNothing ?? []).some(({ frame }) => frame.test(textOf(content ?? wire)));
      if (isNamed) continue;
      for (const step of resume(subject, fixture, state).push(wire, clockOf(fixture))) {
        if (step.type !== 'frame' || step.replies.every(({ when }) => when === 'refused')) continue;
        const others = step.messages.filter(({ type }) => type !== 'login');
        if (others.length > 0 || (hasLoginFrame && step.messages.length > 0)) continue;
        found.add(place, `is acknowledged, and nothing of it is kept: ${textOf(content ?? wire).slice(0, 80)}`);
      }
    }
    return found.violations;
  },
};

/** The frame as patterns of the description see it: text if it is printable, otherwise hexadecimal digits. */
export function textOf(frame: Uint8Array): string {
  const isText = frame.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0d || byte === 0x0a);
  return Buffer.from(frame).toString(isText ? 'latin1' : 'hex');
}

/** Every declared reply is shown by a fixture, and every frame of that type gets it. */
export const replied: Rule = {
  name: 'every frame that expects a reply gets it',
  check(subject) {
    const { expectsReply = [] } = subject.protocol;
    const found = new ViolationList();
    const cases = frameCasesOf(subject);
    for (const { title, frame, reply } of expectsReply) {
      const matching = cases.filter(({ content, wire }) => frame.test(textOf(content ?? wire)));
      const decoded = matching.filter((one) => messagesOf(subject, one, one.content ?? one.wire) !== undefined);
      if (decoded.length === 0) found.add('fixtures', `no decoded frame of "${title}"`);
      for (const { fixture, place, wire, state } of decoded) {
        const steps = resume(subject, fixture, state).push(wire, clockOf(fixture));
        const replies = steps.flatMap((step) => ('replies' in step ? step.replies : []));
        if (!replies.some(({ when, bytes }) => when !== 'refused' && reply.test(textOf(bytes))))
          found.add(place, `"${title}" is not answered by ${reply}`);
      }
    }
    return found.violations;
  },
};
