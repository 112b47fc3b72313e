import type { FastifyReply } from 'fastify';
import { PAGES_COOKIE, setHostCookie } from '../../http/index.ts';

const HOME = '/console';

/** A path of this very server, whatever the form says. */
export function ownPath(text: unknown): string {
  return typeof text === 'string' && /^\/(?![/\\])[\w\-./?=&%]*$/.test(text) ? text : HOME;
}

export const setCookie = (reply: FastifyReply, value: string, seconds: number): FastifyReply =>
  setHostCookie(reply, { name: PAGES_COOKIE, value, seconds });
