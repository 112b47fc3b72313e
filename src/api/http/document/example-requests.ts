/** Ids in examples, by the collection that they belong to: each of them names one record throughout the document. */
const ids: readonly (readonly [path: RegExp, id: string])[] = [
  [/^\/v1\/groups\//, 'grp_0a1b2c3d4e5f6a7b8c'],
  [/^\/v1\/geofences\//, 'geo_0a1b2c3d4e5f6a7b8c'],
  [/^\/v1\/drivers\/ddd\/files\//, 'ddd_00019f0a1b2c0a1b2c3d4e5f'],
  [/^\/v1\/drivers\/ddd\/infringements\//, '4711'],
  [/^\/v1\/drivers\/ddd\/uploads\//, 'upl_00019f0a1b2c0a1b2c3d'],
  [/^\/v1\/drivers\/ddd\/attestations\//, 'att_00019f0a1b2c0a1b2c3d'],
  [/^\/v1\/drivers\/ddd\/corrections\//, 'cor_00019f0a1b2c0a1b2c3d'],
  [/^\/v1\/drivers\/ddd\/transports\//, 'trp_00019f0a1b2c0a1b2c3d'],
  [/^\/v1\/drivers\/ddd\/remote\//, 'rds_00019f0a1b2c0a1b2c3d'],
  [/^\/v1\/drivers\/ddd\/letters\//, 'ltr_00019f0a1b2c0a1b2c3d'],
  [/^\/v1\/drivers\//, 'drv_0a1b2c3d4e5f6a7b8c'],
  [/^\/v1\/expenses\//, 'exp_0a1b2c3d4e5f6a7b8c'],
  [/^\/v1\/pairings\//, '4712'],
  [/^\/v1\/device-claims\//, '4715'],
  [/^\/v1\/keys\//, 'f9e8d7c6b5a4'],
  [/^\/v1\/auth\/sessions\//, 'ses_0a1b2c3d4e5f6a7b8c9d0e1f'],
  [/^\/v1\/notifications\//, 'nrl_night'],
  [/^\/v1\/app\/alert\//, '4713'],
  [/^\/v1\/app\/push\//, 'pus_0a1b2c3d4e5f6a7b8c'],
  [/^\/v1\/share-links\//, 'shr_4715'],
  [/^\/v1\/report-schedules\//, 'rps_00019f0a1b2c0a1b2c3d4e5f'],
  [/^\/v1\/report-runs\//, 'rpr_00019f0a1b2c0a1b2c3d4e5f'],
  [/^\/v1\/webhooks\//, '4714'],
];

const DRIVER = 'drv_0a1b2c3d4e5f6a7b8c';
const FILE = 'ddd_00019f0a1b2c0a1b2c3d4e5f';
const interval = { from: '2026-05-01T08:00:00Z', to: '2026-05-01T18:00:00Z' };
const tachographReport = { driverId: DRIVER, from: '2026-05-01', to: '2026-05-31', format: 'json' };
const payroll = { drivers: [DRIVER], month: '2026-05', format: 'json' };
const command = { gprsCommand: 'getinfo', ttlSeconds: 300, priority: 5, dedupeKey: 'daily-check' };
const fileNames = { fileIds: [FILE], naming: 'original' };

const at = (time: string, latitude: number, longitude: number, speed: number) => ({
  imei: '356307042441013',
  protocol: 'teltonika',
  fixTime: `2026-05-01T${time}Z`,
  valid: true,
  latitude,
  longitude,
  altitude: 122,
  speed,
  course: 87,
  attributes: { ignition: true, satellites: 9 },
});

/**
 * Bodies of requests that a generated example does not describe: with every member at once they would ask for several
 * things. In the order of the document, each of them is accepted by an installation that has accepted those before.
 */
export const exampleBodies: Readonly<Record<string, unknown>> = {
  'POST /v1/auth/credentials': { username: 'carla', password: 'seven grey herons', tenant: 'default' },
  'POST /v1/auth/revoke': { refreshToken: 'rft_Qm9uam91cg' },
  'POST /v1/auth/user_api': {
    apiKey: 'flt_live_f9e8d7c6b5a4_k3Jx9QmZp1sT7vW2yB4nC6dF8gH0jL5rA3eU9iO1qXw',
    scope: 'vehicles:read positions:read',
  },
  'POST /v1/app/auth': {
    username: 'carla',
    password: 'seven grey herons',
    tenant: 'default',
    device: { id: 'phone-1', platform: 'ios', model: 'iPhone 15', build: 12, version: '1.2.0' },
  },
  'POST /v1/devices/{imei}/proof': { password: 'kestrel-7731' },
  'POST /v1/app/recovery_mode': { username: 'carla', channel: 'email' },
  'PUT /v1/app/recovery_mode': { token: 'rcv_Qm9uam91cg', newPassword: 'eight blue geese' },
  'POST /v1/vehicles/import': 'targa,make,model\r\nCD456EF,Iveco,Daily\r\n',
  'PATCH /v1/vehicles/{targa}': { make: 'Fiat', model: 'Ducato', year: 2024 },
  'POST /v1/groups': { name: 'Northern depot', description: 'Milan and Turin' },
  'POST /v1/groups/import': 'name,description\r\nSouthern depot,Naples\r\n',
  'PATCH /v1/groups/{id}': { description: 'Milan, Turin and Genoa' },
  'POST /v1/geofences': {
    name: 'Yard',
    description: 'Milan',
    area: { type: 'circle', center: [9.19, 45.4642], radiusM: 250 },
  },
  'POST /v1/geofences/import': 'name,area\r\nHarbor,"{""type"":""circle"",""center"":[8.92,44.4],""radiusM"":800}"\r\n',
  'PATCH /v1/geofences/{id}': { name: 'Yard of Milan' },
  'POST /v1/drivers': {
    name: 'Carla Rossi',
    email: 'carla@example.org',
    phone: '+39 02 0000000',
    cardNumber: 'I000000012345600',
    expenseCurrency: 'EUR',
    expenseLimit: 500,
  },
  'POST /v1/drivers/import': 'name,email\r\nMario Bianchi,mario@example.org\r\n',
  'PATCH /v1/drivers/{id}': { phone: '+39 02 1111111' },
  'POST /v1/expenses': {
    driverId: DRIVER,
    spentAt: '2026-05-01T08:30:00Z',
    amount: 61.2,
    currency: 'EUR',
    note: 'Diesel, 40 l',
  },
  'POST /v1/expenses/import': `driverId,spentAt,amount,currency\r\n${DRIVER},2026-05-02T08:30:00Z,12.5,EUR\r\n`,
  'PATCH /v1/expenses/{id}': { note: 'Diesel, 41 l' },
  'POST /v1/pairings': { targa: 'AB123CD', imei: '356307042441013', from: '2026-04-01T00:00:00Z' },
  'POST /v1/pairings/import': `targa,driverId,from,to\r\nAB123CD,${DRIVER},2026-05-01T00:00:00Z,2026-05-02T00:00:00Z\r\n`,
  'POST /v1/vehicles/reports/pairing_history': { vehicles: ['AB123CD'], ...interval, kind: 'both' },
  'POST /v1/qora/vehicles/': { vehicles: [{ externalId: 'Q-1001', targa: 'AB123CD', fields: ['lastPosition'] }] },
  'POST /v1/users': {
    username: 'carla',
    name: 'Carla Rossi',
    email: 'carla@example.org',
    role: 'dispatcher',
    allVehicles: true,
    locale: 'it',
    timezone: 'Europe/Rome',
    password: 'seven grey herons',
  },
  'POST /v1/users/import': 'username,name,role\r\nmario,Mario Bianchi,viewer\r\n',
  'PATCH /v1/users/{user_id}': { name: 'Carla Rossi', timezone: 'Europe/Rome' },
  'PUT /v1/users/me/password': { currentPassword: 'seven grey herons', newPassword: 'eight blue geese' },
  'POST /v1/tenants': {
    name: 'rossi',
    title: 'Rossi Trasporti',
    timezone: 'Europe/Rome',
    partners: ['qora'],
    admin: { username: 'rossi-admin', name: 'Anna Rossi', email: 'anna@example.org', password: 'seven grey herons' },
  },
  'PATCH /v1/tenants/{tenant}': { title: 'Rossi Trasporti', timezone: 'Europe/Rome', active: false },
  'POST /v1/unamerda': { hello: 'world' },
  'POST /v1/diagnostics/echo': { hello: 'world' },
  'POST /v1/cacca_merda': { status: 418, code: 'probe' },
  'POST /v1/diagnostics/problem': { status: 418, code: 'probe' },
  'PUT /v1/drivers/ddd/files/{id}/admission': {
    admitted: true,
    reason: 'The reader damaged the signature; the card was checked',
  },
  'POST /v1/drivers/ddd/bind': { fileIds: [FILE], driverId: DRIVER },
  'POST /v1/drivers/ddd/drivers': { fileIds: [FILE] },
  'POST /v1/drivers/ddd/files/analize_save': { fileIds: [FILE], save: true },
  'POST /v1/drivers/ddd/files/analyze_save': { fileIds: [FILE], save: true },
  'POST /v1/drivers/ddd/activities_file': tachographReport,
  'POST /v1/drivers/ddd/rests_file': tachographReport,
  'POST /v1/drivers/ddd/lul_file': payroll,
  'POST /v1/drivers/ddd/lul_internal_file': payroll,
  'PATCH /v1/drivers/ddd/infringements/{id}': { status: 'acknowledged', note: 'Discussed with the driver' },
  'POST /v1/drivers/ddd/infringements_file': {
    drivers: [DRIVER],
    from: '2026-05-01',
    to: '2026-05-31',
    format: 'json',
  },
  'POST /v1/drivers/ddd/posting_file': { drivers: [DRIVER], from: '2026-05-01', to: '2026-05-31', format: 'json' },
  'POST /v1/drivers/ddd/roadside_set': { driverId: DRIVER, date: '2026-05-28' },
  'POST /v1/vehicles/ddd/unit_file': { fileId: FILE, format: 'json' },
  'POST /v1/drivers/ddd/letters': { driverId: DRIVER, from: '2026-05-01', to: '2026-05-31', lang: 'it' },
  'PATCH /v1/drivers/ddd/letters/{id}': { state: 'signed', acknowledgedOn: '2026-06-03' },
  'PUT /v1/drivers/ddd/settings': {
    employer: {
      name: 'Rossi Trasporti S.r.l.',
      address: 'Via Roma 1, 20100 Milano, Italia',
      telephone: '+39 02 1234567',
      email: 'info@example.com',
      taxCode: '01234567890',
      vatNumber: 'IT01234567890',
    },
  },
  'POST /v1/drivers/ddd/attestations': {
    driverId: DRIVER,
    activity: 'annual-leave',
    from: '2026-05-04T06:00:00Z',
    to: '2026-05-11T06:00:00Z',
    signatory: { name: 'Bianchi Anna', position: 'Operations manager' },
    driver: { birthDate: '1980-02-03', document: 'U1234567X', employedSince: '2019-09-01' },
    place: 'Milano',
    lang: 'it',
  },
  'POST /v1/drivers/ddd/attestations/{id}/revoke': { reason: 'The driver worked' },
  'POST /v1/drivers/ddd/corrections': {
    driverId: DRIVER,
    kind: 'selector',
    from: '2026-05-04T05:00:00Z',
    to: '2026-05-04T05:30:00Z',
    activity: 'availability',
    reason: 'Waited for the loading and left the selector at other work',
  },
  'POST /v1/drivers/ddd/corrections/{id}/revoke': { reason: 'The driver loaded the vehicle' },
  'PUT /v1/drivers/ddd/remote': { driverId: DRIVER, everyDays: 21 },
  'POST /v1/drivers/ddd/transports': {
    driverId: DRIVER,
    targa: 'AB123CD',
    loadedAt: '2026-05-04T06:00:00Z',
    loadedIn: 13,
    unloadedAt: '2026-05-04T14:00:00Z',
    unloadedIn: 17,
    reference: 'CMR 2026-118',
  },
  'POST /v1/drivers/ddd/transports/{id}/revoke': { reason: 'The consignment was cancelled' },
  'POST /v1/drivers/ddd/download_zip': fileNames,
  'POST /v1/drivers/ddd/donwload_file_ddd_zip': fileNames,
  'POST /v1/positions': {
    positions: [
      at('08:30:00', 45.4642, 9.19, 53),
      at('08:31:00', 45.465, 9.201, 48),
      at('08:32:00', 45.466, 9.212, 61),
      at('08:36:00', 45.467, 9.252, 57),
      at('08:40:00', 45.468, 9.292, 0),
    ],
  },
  'POST /v1/devices': { imei: '356307042441013', name: 'Ducato of Carla' },
  'POST /v1/devices/import': 'imei,name\r\n356307042441014,Daily\r\n',
  'PATCH /v1/devices/{imei}': { name: 'Ducato of Mario' },
  'POST /v1/gprsCommands/': { imei: '356307042441013', ...command },
  'POST /v1/gprsCommands/batch': { imeis: ['356307042441013'], gprsCommand: 'getver', ttlSeconds: 3_600, priority: 7 },
  'POST /v1/gprsCommands/check': { imeis: ['356307042441013'], type: 'engineStop' },
  'PUT /v1/gprsCommands/{target}/reset': { statuses: ['failed', 'expired'], ttlSeconds: 3_600 },
  'PUT /v1/gprsCommands/settings': { dangerousCommands: ['factory*'], wakeUpUrl: null },
  'PUT /v1/{version}/notifications': {
    notification_data: {
      id: 'nrl_night',
      type: 'unauthorized_use',
      auth_hours: { monday: { min: 8, max: 18.5 }, tuesday: { min: 8, max: 18.5 } },
      description: 'Use at night',
      priority: 'high',
      timezone: 'Europe/Rome',
      users: ['carla'],
      vehicles: ['AB123CD'],
      params: { minSpeedKmh: 5 },
      channels: ['app'],
    },
  },
  'POST /v1/notifications/backtest': {
    rule: { type: 'overspeed', vehicles: ['AB123CD'], params: { limitKmh: 90 }, timezone: 'Europe/Rome' },
    ...interval,
  },
  'POST /v1/share-links': {
    targa: 'AB123CD',
    until: '2026-05-02T18:00:00Z',
    precisionM: 100,
    label: 'Delivery 4711',
  },
  'POST /v1/report-schedules': {
    name: 'Trips of the week',
    kind: 'trips',
    format: 'xlsx',
    every: 'week',
    day: 1,
    hour: 6,
    zone: 'Europe/Rome',
    language: 'it',
    recipients: ['dispatch@example.org'],
    vehicles: ['AB123CD'],
  },
  'PATCH /v1/report-schedules/{id}': { recipients: ['dispatch@example.org', 'office@example.org'] },
  'POST /v1/shared': { token: 'kX2pT9vQ4mB7sW1zL8dF3hJ6nR0cY5aG', lang: 'en' },
  'POST /v1/webhooks': { url: 'https://example.org/hooks', events: ['position'], description: 'Dispatch system' },
  'POST /v1/routesGrouped': { vehicles: ['AB123CD'], ...interval, groupBy: 'day', tz: 'Europe/Rome' },
  'PUT /v1/vehicles/percorso': { targa: 'AB123CD', ...interval, maxPoints: 10_000, include: ['stops'] },
  'POST /v1/vehicles/download_route': { targa: 'AB123CD', ...interval, format: 'gpx' },
};

const byName: Readonly<Record<string, string>> = {
  version: 'v1',
  tenant: 'rossi',
  data: '2026-05-01',
  commandId: 'cmd_01j8x2m4',
};
const required: Readonly<Record<string, unknown>> = {
  otp: '287082',
  month: '2026-05',
  spool: 'spool-1',
  ids: 'nrl_night',
  from: '2026-05-01T08:00:00Z',
  to: '2026-05-01T18:00:00Z',
  targa: ['AB123CD'],
};

/** Example of a path parameter, or of a query parameter that a request must have, where its name does not say enough. */
export function exampleParameter(method: string, path: string, place: string, name: string): unknown {
  if (place === 'query') return required[name];
  if (name === 'target') return path.startsWith('/v1/gprsCommands') ? '356307042441013' : undefined;
  // its id is that of a user
  if (method === 'get' && path === '/v1/notifications/{id}') return 'carla';
  return name === 'id' ? ids.find(([pattern]) => pattern.test(path))?.[1] : byName[name];
}
