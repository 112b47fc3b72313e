export {
  type Access,
  cookieOf,
  isSameOrigin,
  type OnCaller,
  PAGES_COOKIE,
  principalOf,
  tenantOf,
  tokenOf,
} from './access.ts';
export { type Check, compileCheck } from './checks.ts';
export { etagOf, notModified } from './conditional.ts';
export { readCookie, setHostCookie } from './cookies.ts';
export { expectedVersion, matches, sendTagged, setTag } from './etags.ts';
export {
  EARLIEST,
  edgeOf,
  instantField,
  instantMember,
  instantParameter,
  instantProblem,
  LATEST,
  MIN_INSTANT_MS,
  parseInstant,
  toInstant,
  toInstantOrNull,
  tooOld,
} from './instants.ts';
export { type Cursors, createCursors, listOf, page, toPage } from './lists.ts';
export { member, textLike } from './members.ts';
export { BYTES } from './negotiation.ts';
export { type problem, sendProblemBody } from './problems.ts';
export { hasEffects } from './repeatable.ts';
export { corner, ring } from './ring.ts';
export { type App, createServer } from './server.ts';
export { refuseUnknown } from './strict.ts';
export { flagParameter, isWellFormed, text } from './text.ts';
