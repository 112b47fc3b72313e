// What the console takes from docs/openapi.json: schemas of the requests that its forms send, and lists of values.
// test/unit/web/contract.test.ts writes web/src/bodies.ts and web/src/lists.ts with it: `npm run openapi`.

const JSON_TYPE = 'application/json';

/** Bodies of requests: name in the console, method and path. */
const BODIES = {
  newKey: ['post', '/v1/keys'],
  newUser: ['post', '/v1/users'],
  shareLink: ['post', '/v1/share-links'],
  userChange: ['patch', '/v1/users/{user_id}'],
};

/** Values that a field, a filter or a tag has, in the order of the API: name, and where the document has them. */
const LISTS = {
  ROLES: ['get', '/v1/users', 'parameters', 'role'],
  VEHICLE_STATUSES: ['get', '/v1/vehicles', 'answer', 'items', '[]', 'status'],
  DEVICE_STATES: ['get', '/v1/devices', 'parameters', 'state'],
  COMMAND_STATUSES: ['get', '/v1/gprsCommands/', 'answer', 'items', '[]', 'status'],
  RULE_TYPES: ['put', '/v1/{version}/notifications', 'body', 'notification_data', 'type'],
  CHANNELS: ['put', '/v1/{version}/notifications', 'body', 'notification_data', 'channels', '[]'],
  PRIORITIES: ['get', '/v1/app/alert', 'parameters', 'severity'],
  REPORT_KINDS: ['post', '/v1/report-schedules', 'body', 'kind'],
  REPORT_STATES: ['get', '/v1/report-runs', 'parameters', 'state'],
  SHARE_PRECISIONS_M: ['post', '/v1/share-links', 'body', 'precisionM'],
  SEVERITIES: ['get', '/v1/drivers/ddd/infringements', 'parameters', 'severity'],
  INFRINGEMENT_STATUSES: ['get', '/v1/drivers/ddd/infringements', 'parameters', 'status'],
  LETTER_STATES: ['get', '/v1/drivers/ddd/letters', 'parameters', 'state'],
  NOTICE_KINDS: ['get', '/v1/drivers/ddd/notices', 'parameters', 'kind'],
  ATTESTED_ACTIVITIES: ['post', '/v1/drivers/ddd/attestations', 'body', 'activity'],
  CORRECTION_KINDS: ['post', '/v1/drivers/ddd/corrections', 'body', 'kind'],
  CORRECTED_ACTIVITIES: ['post', '/v1/drivers/ddd/corrections', 'body', 'activity'],
  DRIVER_SERVICES: ['put', '/v1/drivers/ddd/settings', 'body', 'service'],
  TRACK_FORMATS: ['post', '/v1/vehicles/download_route', 'body', 'format'],
};

/** The part of a schema that members name, in any alternative of a union; `[]`: entries of a list. */
function partOf({ components }, schema, members) {
  return members.reduce((at, member) => {
    const part = at.$ref === undefined ? at : components.schemas[at.$ref.split('/').at(-1)];
    const all = [part, ...(part.anyOf ?? []), ...(part.oneOf ?? [])];
    const found = all.map((each) => (member === '[]' ? each.items : each.properties?.[member])).find(Boolean);
    if (found === undefined) throw new Error(`no member ${member} in ${Object.keys(part)}`);
    return found;
  }, schema);
}

function operationOf({ paths }, method, path) {
  const operation = paths[path]?.[method];
  if (operation === undefined) throw new Error(`no operation ${method} ${path}`);
  return operation;
}

function schemaOf(document, [method, path, place, ...members]) {
  const { parameters, requestBody, responses } = operationOf(document, method, path);
  if (place === 'parameters') {
    const [name, ...more] = members;
    return partOf(document, parameters.find((each) => each.name === name).schema, more);
  }
  const { content } = place === 'answer' ? responses['200'] : requestBody;
  return partOf(document, content[JSON_TYPE].schema, members);
}

/** Keywords that say nothing about which values are valid, and those that the API checks alone. */
const IGNORED = ['description', 'default', 'example', 'examples', 'propertyNames', 'deprecated', 'uniqueItems'];
const FORMATS = { email: 'email', 'date-time': 'iso.datetime' };

const made = (name, ...args) => `z.${name}(${args.join(', ')})`;
const withChecks = (schema, checks) => (checks.length === 0 ? schema : `${schema}.check(${checks.join(', ')})`);
const checksOf = (schema, names) =>
  Object.entries(names).flatMap(([keyword, check]) =>
    schema[keyword] === undefined ? [] : [made(check, JSON.stringify(schema[keyword]))],
  );

function stringOf(schema, used) {
  used.push('format', 'minLength', 'maxLength', 'pattern');
  const format = FORMATS[schema.format];
  if (schema.format !== undefined && format === undefined) throw new Error(`format ${schema.format}`);
  const base =
    format === undefined ? made('string') : made(format, ...(format === 'iso.datetime' ? ['{ offset: true }'] : []));
  // zod has the patterns of its formats
  const pattern =
    format === undefined && schema.pattern !== undefined
      ? [made('regex', `new RegExp(${JSON.stringify(schema.pattern)}, 'u')`)]
      : [];
  return withChecks(base, [...checksOf(schema, { minLength: 'minLength', maxLength: 'maxLength' }), ...pattern]);
}

function objectOf(schema, used) {
  used.push('properties', 'required', 'additionalProperties');
  const { properties, required = [], additionalProperties } = schema;
  if (properties === undefined) return made('record', made('string'), codeOf(additionalProperties));
  const members = Object.entries(properties).map(([name, member]) => {
    const code = codeOf(member);
    return `${JSON.stringify(name)}: ${required.includes(name) ? code : made('exactOptional', code)}`;
  });
  return made(additionalProperties === false ? 'strictObject' : 'looseObject', `{\n${members.join(',\n')},\n}`);
}

function numberOf(name, schema, used) {
  const names = { minimum: 'gte', maximum: 'lte' };
  used.push(...Object.keys(names));
  return withChecks(made(name), checksOf(schema, names));
}

function arrayOf(schema, used) {
  used.push('items', 'minItems', 'maxItems');
  return withChecks(
    made('array', codeOf(schema.items)),
    checksOf(schema, { minItems: 'minLength', maxItems: 'maxLength' }),
  );
}

function typeOf(type, schema, used) {
  switch (type) {
    case 'string':
      return stringOf(schema, used);
    case 'integer':
      return numberOf('int', schema, used);
    case 'number':
      return numberOf('number', schema, used);
    case 'array':
      return arrayOf(schema, used);
    case 'object':
      return objectOf(schema, used);
    case 'boolean':
      return made('boolean');
    case 'null':
      return made('null');
    default:
      throw new Error(`type ${type}`);
  }
}

/** A JSON schema as code of zod/mini. Throws at a keyword that it would lose. */
function codeOf(schema) {
  const used = ['type', ...IGNORED];
  const known = (code) => {
    const lost = Object.keys(schema).filter((each) => !used.includes(each));
    if (lost.length > 0) throw new Error(`keyword ${lost}`);
    return code;
  };
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) {
    used.push('anyOf', 'oneOf');
    const codes = union.filter((each) => each.type !== 'null').map(codeOf);
    const code = codes.length === 1 ? codes[0] : made('union', `[${codes.join(', ')}]`);
    return known(codes.length < union.length ? made('nullable', code) : code);
  }
  if (schema.enum !== undefined || schema.const !== undefined) {
    used.push('enum', 'const', 'minimum', 'maximum');
    return known(made('literal', JSON.stringify(schema.enum ?? [schema.const])));
  }
  const types = [schema.type].flat();
  if (schema.type === undefined) return known(made('unknown'));
  const codes = types.filter((each) => each !== 'null' || types.length === 1).map((each) => typeOf(each, schema, used));
  const code = codes.length === 1 ? codes[0] : made('union', `[${codes.join(', ')}]`);
  return known(types.length > 1 && types.includes('null') ? made('nullable', code) : code);
}

const HEAD =
  '// biome-ignore-all format: written by `npm run openapi` from docs/openapi.json\n// biome-ignore-all lint: as above\n';

/** The text of web/src/bodies.ts. */
export function consoleBodies(document) {
  const bodies = Object.entries(BODIES).map(
    ([name, [method, path]]) =>
      `/** ${method.toUpperCase()} ${path} */\n` +
      `export const ${name} = /* @__PURE__ */ (() => ${codeOf(schemaOf(document, [method, path, 'body']))})();\n`,
  );
  return [HEAD, "import * as z from 'zod/mini';\n", ...bodies].join('\n');
}

/** The text of web/src/lists.ts. */
export function consoleLists(document) {
  const lists = Object.entries(LISTS).map(([name, place]) => {
    const { enum: values } = schemaOf(document, place);
    if (values === undefined) throw new Error(`${name} has no values`);
    return `export const ${name} = ${JSON.stringify(values)} as const;\n`;
  });
  return [HEAD, ...lists].join('\n');
}
