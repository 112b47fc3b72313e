import { expect, it } from 'vitest';
import { gatewayEvent } from '../../../src/contract/events.ts';
import { RECORDS_VERSION, versionOf } from '../../../src/contract/versions.ts';

/** Types of events that the API of 0.1.0 reads. */
const FIRST = [
  'answer',
  'clock',
  'file',
  'frame',
  'frame-undecoded',
  'gateway-started',
  'heartbeat',
  'knock',
  'not-sent',
  'position',
  'sent',
  'session-closed',
  'session-opened',
  'taken',
];

it('every type of event that 0.1.0 does not read has a later version, and none is beyond that of this API', () => {
  const types = gatewayEvent.options.map(({ shape }) => shape.type.value);
  expect(types.filter((type) => versionOf(type) === 1).sort()).toEqual(FIRST);
  expect(Math.max(...types.map(versionOf))).toBe(RECORDS_VERSION);
});
