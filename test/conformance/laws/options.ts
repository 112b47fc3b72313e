import type { DeviceOptions } from '#codec';
import { wireBytes } from '../../support/fixtures.ts';
import { clockOf, type Law, type Subject, settingsOf } from './subject.ts';

/** An option that is read and not declared is one that no operator can find. */
export const options: Law = {
  name: 'every option that is read is declared',
  check(subject) {
    const read = new Set<string>();
    const watch = (given: DeviceOptions = {}): DeviceOptions =>
      new Proxy(given, {
        get(target, key) {
          if (typeof key === 'string') read.add(key);
          return Reflect.get(target, key);
        },
      });
    runAll(subject, watch);
    return [...read].filter((key) => !Object.hasOwn(subject.protocol.options, key)).map((key) => `${key} is not`);
  },
};

function runAll({ protocol, fixtures, drive }: Subject, watch: (given?: DeviceOptions) => DeviceOptions): void {
  for (const { fixture } of fixtures) {
    const driver = drive(protocol, { ...settingsOf(fixture), options: watch(fixture.options) });
    for (const { wire } of fixture.frames ?? []) driver.push(wireBytes(wire), clockOf(fixture));
    for (const { type, params, deviceId, ticket = '0', options: given } of fixture.commands ?? []) {
      const context = { deviceId, ticket, options: watch(given), now: clockOf(fixture) };
      protocol.commands[type]?.encode(params, { ...context, state: protocol.initialState(deviceId) });
    }
  }
}
