/** The text of web/src/bodies.ts: schemas of the requests that forms of the console send, from docs/openapi.json. */
export function consoleBodies(document: object): string;
/** The text of web/src/lists.ts: lists of values that the console takes from docs/openapi.json. */
export function consoleLists(document: object): string;
