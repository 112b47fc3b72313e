import type { DecodeContext, Decoded, HttpReply, HttpRequest } from '#codec';
import { hasDevice, isJson, readJson } from './json.ts';
import { parametersOf, readQuery, speedFactor } from './query.ts';

/** The answer to a query may carry a command as its body; that to JSON stays empty. */
const TAKEN: HttpReply = { when: 'stored', status: 200, headers: { 'content-type': 'text/plain' } };
const UNKNOWN: HttpReply = { when: 'refused', status: 400 };
const NAMELESS: HttpReply = { when: 'stored', status: 400 };

/** Throws CodecError; such a request is answered 400. */
export function decode(
  request: HttpRequest,
  { state, now, options }: DecodeContext<undefined>,
): Decoded<undefined, HttpReply> {
  if (isJson(request)) {
    const { id, positions } = readJson(request.body);
    const replies: HttpReply[] = [
      { when: 'stored', status: 200 },
      { when: 'refused', status: 404 },
    ];
    return { state, messages: [{ type: 'login', ids: [id] }, ...positions], replies };
  }
  const { id, position } = readQuery(parametersOf(request), now, speedFactor(options['speedUnit']));
  if (id === undefined) return { state, messages: [], replies: [NAMELESS] };
  return { state, messages: [{ type: 'login', ids: [id] }, position], replies: [TAKEN, UNKNOWN] };
}

/** JSON names `device_id` and `location`; a query names the device, and a place, a time or what it hears. */
export function identify(request: HttpRequest): boolean {
  try {
    return isJson(request) ? hasDevice(request.body) : hasPosition(request);
  } catch {
    return false;
  }
}

const POSITION_KEYS = ['lat', 'location', 'timestamp', 'cell', 'wifi'];

function hasPosition(request: HttpRequest): boolean {
  const query = parametersOf(request);
  return (query.has('id') || query.has('deviceid')) && POSITION_KEYS.some((name) => query.has(name));
}
