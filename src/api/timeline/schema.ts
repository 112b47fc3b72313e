import { z } from 'zod';
import { instant } from '../../contract/position.ts';

/** What a codec makes of a frame: JSON, times as RFC 3339, bytes as hex. */
export const decodedFrame = z.object({
  messages: z.array(z.record(z.string(), z.unknown())),
  replies: z.array(z.object({ when: z.string(), hex: z.string() })),
  error: z.string().optional().describe('code of what the codec refuses'),
});
export type DecodedFrame = z.output<typeof decodedFrame>;

export const timelineEntry = z.object({
  at: instant,
  kind: z.string().describe('frame, frame-undecoded, session-opened, session-closed, answer, …'),
  gateway: z.string(),
  conn: z.string(),
  protocol: z.string().nullable(),
  transport: z.string().nullable(),
  remote: z.string().nullable(),
  hex: z.string().nullable(),
  text: z.string().nullable().describe('the bytes, where they are printable'),
  decoded: decodedFrame.nullable(),
  detail: z.record(z.string(), z.unknown()).nullable(),
});
export type TimelineEntry = z.output<typeof timelineEntry>;

/** What the catalogue is asked; made at read time, so that a later version understands older frames. */
export type FrameDecoder = (frame: {
  readonly protocol: string;
  readonly transport: string;
  readonly bytes: Uint8Array;
  readonly deviceId: string;
  readonly options: Readonly<Record<string, string | number | boolean>>;
  /** epoch ms: when the bytes were read */
  readonly at: number;
}) => DecodedFrame | undefined;
