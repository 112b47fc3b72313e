import type { FastifyReply } from 'fastify';
import { PAGES_COOKIE, setHostCookie } from '../../http/index.ts';

const HOME = '/console';

/** The text if it is a path of this server, otherwise HOME: prevents an open redirect. */
export function ownPath(text: unknown): string {
  return typeof text === 'string' && /^\/(?![/\\])[\w\-./?=&%]*$/.test(text) ? text : HOME;
}

export const setCookie = (reply: FastifyReply, value: string, seconds: number): FastifyReply =>
  setHostCookie(reply, { name: PAGES_COOKIE, value, seconds });
