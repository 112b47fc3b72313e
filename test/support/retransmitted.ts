import type { StreamMessage } from '../../src/server/live/brokers/index.ts';

/** A message with a position; `data` replaces members of one that has a fix and nothing else. */
export function retransmitted(device: string, data: object): StreamMessage {
  const position = {
    id: 'a'.repeat(22),
    imei: device,
    serverTime: '2026-05-01T08:00:05Z',
    valid: true,
    attributes: {},
    ...data,
  };
  return {
    id: position.id,
    kind: 'position',
    tenant: 'default',
    device,
    at: 0,
    body: JSON.stringify({ data: position }),
  };
}
