import { count, flag } from '../../../platform/setting-types.ts';

/** Settings of the interface for assistants; part of the schema in config.ts. */
export const assistantSettings = {
  MCP: flag.default(true).describe('serve assistants at /mcp (Model Context Protocol) with the rights of their caller'),
  MCP_SESSIONS: count
    .min(1)
    .default(200)
    .describe('sessions of assistants that are open at a time; the oldest one ends'),
};
