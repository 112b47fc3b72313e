import { describe, expect, it } from 'vitest';
import { demandDocumented, type ReceivedAnswer } from '../../support/documented.ts';

const groups = (answer: Partial<ReceivedAnswer>): (() => void) => {
  const page = { items: [], nextCursor: null };
  const received = {
    method: 'GET',
    url: '/v1/groups?limit=1',
    status: 200,
    contentType: 'application/json',
    body: page,
  };
  return () => demandDocumented({ ...received, ...answer });
};
const problem = (code: string): Partial<ReceivedAnswer> => ({
  status: 401,
  contentType: 'application/problem+json',
  body: { type: `/problems/${code}`, title: 'x', status: 401, detail: 'x', instance: '/', code, requestId: 'x' },
});

describe('answers are compared with the API document', () => {
  it('a documented answer is accepted', () => {
    expect(groups({})).not.toThrow();
    expect(groups({ contentType: 'application/json; charset=utf-8' })).not.toThrow();
    expect(groups(problem('unauthorized'))).not.toThrow();
  });

  it('an answer that is not documented is refused', () => {
    expect(groups({ body: { items: [] } })).toThrow('does not match its schema');
    expect(groups({ body: { items: [{}], nextCursor: null } })).toThrow('does not match its schema');
    expect(groups({ body: { items: [], nextCursor: null, more: 1 } })).toThrow('does not match its schema');
    expect(groups({ contentType: 'text/html' })).toThrow('text/html');
    expect(groups({ status: 201 })).toThrow('201');
    expect(groups(problem('idempotency-key-reused'))).toThrow('idempotency-key-reused');
  });

  it('a path that is not in the document is not checked', () => {
    expect(groups({ url: '/v1/unknown', body: {} })).not.toThrow();
  });
});
