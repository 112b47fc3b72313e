import type { Message, Position } from '#codec';
import { type AttributeFacts, attributeProblem, unitProblem } from '../../../src/contract/telemetry/vocabulary.ts';
import { clockOf, frameCasesOf, type Rule, resume, ViolationList } from './subject.ts';

const KEYS: Readonly<Record<Message['type'], readonly string[]>> = {
  login: ['type', 'ids', 'password'],
  position: [
    'type',
    'deviceId',
    'deviceTime',
    'fixTime',
    'valid',
    'outdated',
    'latitude',
    'longitude',
    'altitude',
    'speed',
    'course',
    'accuracy',
    'network',
    'attributes',
  ],
  heartbeat: ['type', 'deviceId'],
  answer: ['type', 'deviceId', 'ticket', 'outcome', 'text', 'bytes', 'command'],
  file: ['type', 'deviceId', 'name', 'media', 'offset', 'total', 'bytes', 'last'],
};

/** Ids that the gateway admits; it refuses others, so damaged bytes may produce them. */
const DEVICE_ID = /^[A-Za-z0-9._:-]{1,64}$/;
const NUMBERS = ['deviceTime', 'fixTime', 'latitude', 'longitude', 'altitude', 'speed', 'course', 'accuracy'] as const;

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** What no decoder may return, whatever the input. */
export function shapeProblems(message: Message, facts: AttributeFacts): string[] {
  const known = KEYS[message.type];
  if (known === undefined) return [`a message of type ${message.type}`];
  const problems = Object.entries(message)
    .filter(([key, value]) => !known.includes(key) || value === undefined)
    .map(([key, value]) => (value === undefined ? `${key} is there, as undefined` : `${message.type} has a ${key}`));
  if ('deviceId' in message && !isText(message.deviceId)) problems.push(`deviceId ${message.deviceId}`);
  if (message.type === 'login') {
    if (message.ids.length === 0) problems.push('a login without ids');
    if (message.password !== undefined && !isText(message.password)) problems.push('a password that is not text');
    for (const id of message.ids) if (!isText(id)) problems.push(`login id ${JSON.stringify(id)}`);
  }
  if (message.type === 'position') problems.push(...positionProblems(message, facts));
  if (message.type === 'answer' && message.outcome !== 'done' && message.outcome !== 'refused') {
    problems.push(`outcome ${message.outcome}`);
  }
  if (message.type === 'file' && !(message.offset >= 0 && message.bytes instanceof Uint8Array)) {
    problems.push('a file chunk without offset or bytes');
  }
  return problems;
}

function positionProblems(position: Position, facts: AttributeFacts): string[] {
  const problems: string[] = [];
  for (const name of NUMBERS) {
    const value = position[name];
    if (value !== undefined && !Number.isFinite(value)) problems.push(`${name} is ${value}`);
  }
  if (typeof position.valid !== 'boolean') problems.push(`valid is ${position.valid}`);
  if (Math.abs(position.latitude ?? 0) > 90) problems.push(`latitude ${position.latitude}`);
  if (Math.abs(position.longitude ?? 0) > 180) problems.push(`longitude ${position.longitude}`);
  if ((position.latitude === undefined) !== (position.longitude === undefined)) problems.push('half a coordinate');
  if (!position.outdated && position.latitude === undefined) problems.push('a fix without coordinates, not outdated');
  if (position.outdated && position.latitude !== undefined) problems.push('outdated, with coordinates');
  for (const time of [position.deviceTime, position.fixTime]) {
    if (time !== undefined && !(Math.abs(time) <= 8.64e15)) problems.push(`time ${time}`);
  }
  for (const [key, value] of Object.entries(position.attributes)) {
    const problem = attributeProblem(key, value, facts);
    if (problem !== undefined) problems.push(problem);
  }
  return [...problems, ...networkProblems(position.network)];
}

function networkProblems(network: Position['network']): string[] {
  if (network === undefined) return [];
  const problems: string[] = [];
  if (!network.cells?.length && !network.wifi?.length) problems.push('a network without cells and access points');
  for (const cell of network.cells ?? []) {
    for (const [key, value] of Object.entries(cell)) {
      if (typeof value !== 'number' || !Number.isFinite(value)) problems.push(`cell ${key} is ${value}`);
    }
  }
  for (const point of network.wifi ?? []) {
    if (!/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(point.mac)) problems.push(`mac ${point.mac}`);
    if ('rssi' in point && !Number.isFinite(point.rssi)) problems.push(`access point rssi ${point.rssi}`);
  }
  return problems;
}

const YEAR_2000 = Date.UTC(2000, 0, 1);
const YEAR_2100 = Date.UTC(2100, 0, 1);

/** What a position of a working device does not contain: times and values that no unit of the vocabulary makes. */
function plausibilityProblems(position: Position): string[] {
  const problems: string[] = [];
  for (const name of ['deviceTime', 'fixTime'] as const) {
    const time = position[name];
    if (time !== undefined && !(time >= YEAR_2000 && time < YEAR_2100)) problems.push(`${name} is ${new Date(time)}`);
  }
  // a time that no calendar has is left out, and its fix is not valid
  if (position.valid && position.fixTime === undefined) problems.push('a valid fix without fixTime');
  if (position.course !== undefined && !(position.course >= 0 && position.course <= 360)) problems.push('course');
  if (position.speed !== undefined && !(position.speed >= 0 && position.speed < 2_000)) problems.push('speed');
  if (position.altitude !== undefined && Math.abs(position.altitude) > 20_000) problems.push('altitude');
  for (const [key, value] of Object.entries(position.attributes)) {
    const problem = unitProblem(key, value);
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}

export const vocabulary: Rule = {
  name: 'messages keep to the vocabulary, its types and units',
  check(subject) {
    const found = new ViolationList();
    for (const { fixture, place, wire, state } of frameCasesOf(subject)) {
      for (const step of resume(subject, fixture, state).push(wire, clockOf(fixture))) {
        if (step.type !== 'frame') continue;
        for (const message of step.messages) {
          for (const problem of shapeProblems(message, subject.protocol)) found.add(place, problem);
          if (message.type === 'login') {
            for (const id of message.ids) if (!DEVICE_ID.test(id)) found.add(place, `login id ${JSON.stringify(id)}`);
          }
          if (message.type !== 'position') continue;
          for (const problem of plausibilityProblems(message)) found.add(place, problem);
        }
      }
      if (found.enough) break;
    }
    return found.violations;
  },
};
