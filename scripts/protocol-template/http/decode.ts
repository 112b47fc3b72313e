import {
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  type HttpReply,
  type HttpRequest,
  type Message,
} from '#codec';

const REPLIES: readonly HttpReply[] = [
  { when: 'stored', status: 200, headers: { 'content-type': 'text/plain' } },
  { when: 'refused', status: 404 },
];

const PATH = '/acme?';
const parametersOf = ({ uri }: HttpRequest): URLSearchParams => new URLSearchParams(uri.slice(PATH.length));

function numberOf(query: URLSearchParams, name: string): number {
  const value = Number(query.get(name) ?? Number.NaN);
  if (!Number.isFinite(value)) throw new CodecError('bad-text', `${name} is not a number`);
  return value;
}

// TODO decode: the vendor's parameters. Throws CodecError; such a request is answered with status 400.
export function decode(request: HttpRequest, { state }: DecodeContext<undefined>): Decoded<undefined, HttpReply> {
  const query = identify(request) ? parametersOf(request) : new URLSearchParams();
  const id = query.get('id') ?? '';
  if (!/^\d{15}$/.test(id)) throw new CodecError('bad-text', 'no IMEI');
  const login: Message = { type: 'login', ids: [id] };
  if (!query.has('lat')) return { state, messages: [login, { type: 'heartbeat' }], replies: REPLIES };
  const draft = new Draft();
  draft.setFix(numberOf(query, 'time') * 1000, true, numberOf(query, 'lat'), numberOf(query, 'lon'));
  draft.setMovement(numberOf(query, 'altitude'), numberOf(query, 'speed'), numberOf(query, 'course'));
  draft.attributes['ignition'] = query.get('ignition') === '1';
  return { state, messages: [login, draft.toPosition()], replies: REPLIES };
}

// TODO identify: what only requests of this protocol have.
export const identify = ({ uri }: HttpRequest): boolean => uri.startsWith(PATH);
