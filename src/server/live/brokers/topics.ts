import type { StreamMessage } from './message.ts';

/**
 * Replaces `{tenant}`, `{device}` and `{kind}`; events without a device have `none`. Characters of names that separate
 * or select topics of the receiver (`reserved`) become `_`.
 */
export function topicOf(pattern: string, { tenant, device, kind }: StreamMessage, reserved?: RegExp): string {
  const put = (name: string) => () => (reserved === undefined ? name : name.replaceAll(reserved, '_'));
  return pattern
    .replaceAll('{tenant}', put(tenant))
    .replaceAll('{device}', put(device ?? 'none'))
    .replaceAll('{kind}', put(kind));
}
