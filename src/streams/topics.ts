import type { StreamMessage } from './message.ts';

/** Replaces `{tenant}`, `{device}` and `{kind}`; events without a device have `none`. */
export const topicOf = (pattern: string, { tenant, device, kind }: StreamMessage): string =>
  pattern
    .replaceAll('{tenant}', tenant)
    .replaceAll('{device}', device ?? 'none')
    .replaceAll('{kind}', kind);
