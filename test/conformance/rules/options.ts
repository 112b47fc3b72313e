import type { DeviceOptions } from '#codec';
import { wireBytes } from '../../support/fixtures.ts';
import { clockOf, type Rule, type Subject, settingsOf } from './subject.ts';

/** An option that is read and not declared is one that no operator can find. */
export const options: Rule = {
  name: 'every option that is read is declared',
  check(subject) {
    const read = new Set<string>();
    const watch = (provided: DeviceOptions = {}): DeviceOptions =>
      new Proxy(provided, {
        get(target, key) {
          if (typeof key === 'string') read.add(key);
          return Reflect.get(target, key);
        },
      });
    runAll(subject, watch);
    return [...read].filter((key) => !Object.hasOwn(subject.protocol.options, key)).map((key) => `${key} is not`);
  },
};

function runAll({ protocol, fixtures, drive }: Subject, watch: (provided?: DeviceOptions) => DeviceOptions): void {
  for (const { fixture } of fixtures) {
    const driver = drive(protocol, { ...settingsOf(fixture), options: watch(fixture.options) });
    for (const { wire } of fixture.frames ?? []) driver.push(wireBytes(wire), clockOf(fixture));
    for (const { type, params, deviceId, ticket = '0', options: provided } of fixture.commands ?? []) {
      const context = { deviceId, ticket, options: watch(provided), now: clockOf(fixture) };
      protocol.commands[type]?.encode(params, { ...context, state: protocol.initialState(deviceId) });
    }
  }
}
