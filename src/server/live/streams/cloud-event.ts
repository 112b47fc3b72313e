import { toInstant } from '../../kernel/http/index.ts';
import type { StreamKind, StreamMessage } from '../brokers/index.ts';
import { idOf, type LiveEvent } from '../events/index.ts';

const VERSION = 1;

/** What events of a kind and a tenant have in common, as JSON. */
const common = new Map<string, readonly [string, string]>();

function commonOf(kind: StreamMessage['kind'], tenant: string): readonly [string, string] {
  const name = `${kind} ${tenant}`;
  let texts = common.get(name);
  if (texts === undefined) {
    const first = JSON.stringify({ source: `/tenants/${tenant}/${kind}s`, type: `fleetgate.${kind}` });
    const dataschema = `urn:fleetgate:stream:${kind}:${VERSION}`;
    const last = JSON.stringify({ datacontenttype: 'application/json', dataschema, tenant });
    texts = [first.slice(1, -1), last.slice(1, -1)];
    common.set(name, texts);
  }
  return texts;
}

/** A CloudEvent 1.0 in JSON format. `data` is JSON. The source is part of the identity: a position and its alarm share an id. */
function cloudEvent(message: Omit<StreamMessage, 'body'>, data: string): StreamMessage {
  const { id, kind, tenant, device, at } = message;
  const [first, last] = commonOf(kind, tenant);
  const subject = device === undefined ? '' : `"subject":${JSON.stringify(device)},`;
  const own = `"id":${JSON.stringify(id)},${first},${subject}"time":"${toInstant(at)}"`;
  return { ...message, body: `{"specversion":"1.0",${own},${last},"data":${data}}` };
}

const hasAlarm = (data: string): boolean =>
  data.includes('"alarm":') && (JSON.parse(data) as { attributes: { alarm?: unknown } }).attributes.alarm !== undefined;

/** Messages of an event, of the kinds that a stream has. A position with an alarm is both. */
export function messagesOf(event: LiveEvent, tenant: string, kinds: ReadonlySet<StreamKind>): StreamMessage[] {
  const { type, token, at, device } = event;
  if (type === 'upload') return [];
  const isRecord = type === 'position' || type === 'notification';
  const head = { id: isRecord ? token : idOf(event, token), tenant, device: device?.imei, at };
  if (type !== 'position') return kinds.has(type) ? [cloudEvent({ ...head, kind: type }, event.data())] : [];
  const data = event.data();
  const messages: StreamMessage[] = [];
  if (kinds.has('position')) messages.push(cloudEvent({ ...head, kind: 'position' }, data));
  if (kinds.has('alarm') && hasAlarm(data)) messages.push(cloudEvent({ ...head, kind: 'alarm' }, data));
  return messages;
}

/** A message that says nothing but that the stream works. */
export const testMessage = (id: string, tenant: string, at: number): StreamMessage =>
  cloudEvent({ id, kind: 'test', tenant, device: undefined, at }, '{"message":"Test message of Fleetgate"}');
