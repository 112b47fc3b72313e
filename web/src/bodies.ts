// biome-ignore-all format: written by `npm run openapi` from docs/openapi.json
// biome-ignore-all lint: as above

import * as z from 'zod/mini';

/** POST /v1/keys */
export const newKey = /* @__PURE__ */ (() => z.strictObject({
"name": z.string().check(z.minLength(1), z.maxLength(200), z.regex(new RegExp("^[^\\0]*$", 'u'))),
"scopes": z.array(z.literal(["app","commands:privileged","commands:read","commands:write","ddd:read","ddd:write","devices:read","devices:write","diagnostics","drivers:read","drivers:write","notifications:read","notifications:write","ops","ops:write","partner:qora:read","partner:qora:write","payroll:read","positions:read","positions:write","routes:read","streams:write","tenants:read","tenants:write","users:read","users:write","vehicles:read","vehicles:write","webhooks:write","commands:dangerous"])).check(z.minLength(1)),
"days": z.exactOptional(z.int().check(z.gte(1), z.lte(36500))),
}))();

/** POST /v1/users */
export const newUser = /* @__PURE__ */ (() => z.strictObject({
"username": z.string().check(z.regex(new RegExp("^[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}$", 'u'))),
"name": z.exactOptional(z.nullable(z.string().check(z.minLength(0), z.maxLength(200), z.regex(new RegExp("^[^\\0]*$", 'u'))))),
"email": z.exactOptional(z.nullable(z.email().check(z.maxLength(320)))),
"role": z.literal(["admin","manager","dispatcher","viewer","driver"]),
"active": z.exactOptional(z.boolean()),
"allVehicles": z.exactOptional(z.boolean()),
"targhe": z.exactOptional(z.array(z.string().check(z.minLength(1), z.maxLength(64), z.regex(new RegExp("^[^\\0]*$", 'u')))).check(z.maxLength(5000))),
"locale": z.exactOptional(z.string().check(z.regex(new RegExp("^(?:en|it)(-[A-Za-z0-9]{2,8})*$", 'u')))),
"timezone": z.exactOptional(z.nullable(z.string().check(z.maxLength(64)))),
"preferences": z.exactOptional(z.record(z.string(), z.nullable(z.union([z.string().check(z.minLength(0), z.maxLength(1000), z.regex(new RegExp("^[^\\0]*$", 'u'))), z.number(), z.boolean()])))),
"password": z.exactOptional(z.string().check(z.maxLength(1000))),
}))();

/** POST /v1/share-links */
export const shareLink = /* @__PURE__ */ (() => z.strictObject({
"targa": z.string().check(z.minLength(1), z.maxLength(200), z.regex(new RegExp("^[^\\0]*$", 'u'))),
"until": z.union([z.int(), z.iso.datetime({ offset: true })]),
"from": z.exactOptional(z.union([z.int(), z.iso.datetime({ offset: true })])),
"to": z.exactOptional(z.union([z.int(), z.iso.datetime({ offset: true })])),
"precisionM": z.exactOptional(z.literal([0,100,1000,5000,10000])),
"label": z.exactOptional(z.nullable(z.string().check(z.minLength(1), z.maxLength(200), z.regex(new RegExp("^[^\\0]*$", 'u'))))),
}))();

/** PATCH /v1/users/{user_id} */
export const userChange = /* @__PURE__ */ (() => z.strictObject({
"username": z.exactOptional(z.string().check(z.regex(new RegExp("^[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}$", 'u')))),
"name": z.exactOptional(z.nullable(z.string().check(z.minLength(0), z.maxLength(200), z.regex(new RegExp("^[^\\0]*$", 'u'))))),
"email": z.exactOptional(z.nullable(z.email().check(z.maxLength(320)))),
"role": z.exactOptional(z.literal(["admin","manager","dispatcher","viewer","driver"])),
"active": z.exactOptional(z.boolean()),
"allVehicles": z.exactOptional(z.boolean()),
"targhe": z.exactOptional(z.array(z.string().check(z.minLength(1), z.maxLength(64), z.regex(new RegExp("^[^\\0]*$", 'u')))).check(z.maxLength(5000))),
"locale": z.exactOptional(z.string().check(z.regex(new RegExp("^(?:en|it)(-[A-Za-z0-9]{2,8})*$", 'u')))),
"timezone": z.exactOptional(z.nullable(z.string().check(z.maxLength(64)))),
"preferences": z.exactOptional(z.record(z.string(), z.nullable(z.union([z.string().check(z.minLength(0), z.maxLength(1000), z.regex(new RegExp("^[^\\0]*$", 'u'))), z.number(), z.boolean()])))),
"password": z.exactOptional(z.string().check(z.maxLength(1000))),
}))();
