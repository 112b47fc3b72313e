import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { member } from '../../kernel/http/index.ts';

/** A decoded frame: JSON, times as RFC 3339, bytes as hex. */
export const decodedFrame = z.object({
  messages: z.array(z.record(z.string(), z.unknown())),
  replies: z.array(z.object({ when: z.string(), hex: z.string() })),
  error: z.string().optional().describe('code of what the codec refuses'),
});
export type DecodedFrame = z.output<typeof decodedFrame>;

export const frameSpan = z
  .object({
    from: z.number().int().describe('first byte, from 0'),
    to: z.number().int().describe('the byte after the last one'),
    kind: z
      .enum(['value', 'structure', 'other'])
      .describe('structure: lengths, counts, types; other: no value depends on them, such as checksums'),
    values: z.array(z.string()).describe('JSON pointers into `decoded.messages` of what the bytes determine'),
  })
  .meta({ id: 'FrameSpan' });
export type FrameSpan = z.output<typeof frameSpan>;

export const timelineEntry = z.object({
  at: instant,
  kind: z.string().describe('frame, frame-undecoded, session-opened, session-closed, answer, …'),
  gateway: z.string(),
  conn: z.string(),
  protocol: member.protocol.nullable(),
  transport: z.string().nullable(),
  remote: z.string().meta({ example: '198.51.100.4:40210' }).nullable(),
  hex: z
    .string()
    .nullable()
    .describe('the bytes; null if the frame also carries messages of a device that the caller may not read'),
  text: z.string().nullable().describe('the bytes, where they are printable'),
  decoded: decodedFrame.nullable(),
  spans: z
    .array(frameSpan)
    .nullable()
    .optional()
    .describe('with `fields=true`: what the bytes determine, in their order; null for long frames'),
  detail: z.record(z.string(), z.unknown()).nullable(),
});
export type TimelineEntry = z.output<typeof timelineEntry>;

/** A connection whose frames are decoded, as the timeline of one device has them. */
export interface DecodedConnection {
  readonly protocol: string;
  readonly transport: string;
  readonly deviceId: string;
  readonly options: Readonly<Record<string, string | number | boolean>>;
}

export interface FrameContent {
  /** without the messages of other devices of the connection */
  readonly decoded: DecodedFrame;
  /** devices whose messages have been left out */
  readonly others: readonly string[];
  /** fields that each byte determines */
  spans(): Promise<readonly FrameSpan[] | undefined>;
}

/** Decodes the frames of one connection in their order, each in the state that the previous ones have left. */
export type ConnectionDecoder = (frame: {
  readonly bytes: Uint8Array;
  /** epoch ms: when the bytes were read */
  readonly at: number;
}) => FrameContent;

/** Decodes frames at read time, so that a later version can decode older frames. */
export type FrameDecoder = (connection: DecodedConnection) => ConnectionDecoder | undefined;
