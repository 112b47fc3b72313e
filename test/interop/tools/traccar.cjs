// Works with a server as an integration would, by a client library of Traccar's interface, and prints what the library
// made of each answer. Run with NODE_PATH of that library: `traccar.cjs <library> <URL of /api> <JSON of its task>`.
const [library, url, text] = process.argv.slice(2);
const task = JSON.parse(text);
const { email, password } = task;

/** Each library as functions of the same parameters, under the names of the operations. */
const libraries = {
  'traccar-api'() {
    const apis = require('traccar-api');
    const settings = { basePath: url, baseOptions: { auth: { username: email, password } } };
    const of = (name) => new apis[`${name}Api`](settings);
    const data = async (answer) => (await answer).data;
    return {
      sessionPost: () => data(of('Session').sessionPost(email, password)),
      serverGet: () => data(of('Server').serverGet()),
      groupsPost: (body) => data(of('Groups').groupsPost(body)),
      devicesPost: (body) => data(of('Devices').devicesPost(body)),
      devicesIdPut: (body) => data(of('Devices').devicesIdPut(body, body.id)),
      devicesIdDelete: (id) => data(of('Devices').devicesIdDelete(id)),
      devicesGet: () => data(of('Devices').devicesGet()),
      positionsGet: (deviceId, from, to) => data(of('Positions').positionsGet(deviceId, from, to)),
      geofencesPost: (body) => data(of('Geofences').geofencesPost(body)),
      geofencesGet: () => data(of('Geofences').geofencesGet()),
      driversPost: (body) => data(of('Drivers').driversPost(body)),
      commandsTypesGet: (deviceId) => data(of('Commands').commandsTypesGet(deviceId)),
      commandsSendPost: (body) => data(of('Commands').commandsSendPost(body)),
      usersPost: (body) => data(of('Users').usersPost(body)),
      usersGet: () => data(of('Users').usersGet()),
      permissionsPost: (body) => data(of('Permissions').permissionsPost(body)),
      notificationsTypesGet: () => data(of('Notifications').notificationsTypesGet()),
      report: (name, deviceId, from, to) => data(of('Reports')[`reports${name}Get`](from, to, [deviceId])),
    };
  },
  'traccar-api-client'() {
    const { ApiClient, DefaultApi } = require('traccar-api-client');
    const client = new ApiClient();
    client.basePath = url;
    Object.assign(client.authentications.basicAuth, { username: email, password });
    const api = new DefaultApi(client);
    const call = (name, ...given) =>
      new Promise((resolve, reject) => {
        api[name](...given, (error, data) => (error ? reject(error) : resolve(data)));
      });
    return {
      sessionPost: () => call('sessionPost', email, password),
      serverGet: () => call('serverGet'),
      groupsPost: (body) => call('groupsPost', body),
      devicesPost: (body) => call('devicesPost', body),
      devicesIdPut: (body) => call('devicesIdPut', body.id, body),
      devicesIdDelete: (id) => call('devicesIdDelete', id),
      devicesGet: () => call('devicesGet', {}),
      positionsGet: (deviceId, from, to) => call('positionsGet', { deviceId, from, to }),
      geofencesPost: (body) => call('geofencesPost', body),
      geofencesGet: () => call('geofencesGet', {}),
      driversPost: (body) => call('driversPost', body),
      commandsTypesGet: (deviceId) => call('commandsTypesGet', { deviceId }),
      commandsSendPost: (body) => call('commandsSendPost', body),
      usersPost: (body) => call('usersPost', body),
      usersGet: () => call('usersGet', {}),
      permissionsPost: (body) => call('permissionsPost', body),
      notificationsTypesGet: () => call('notificationsTypesGet'),
      report: (name, deviceId, from, to) => call(`reports${name}Get`, from, to, { deviceId: [deviceId] }),
    };
  },
};

async function work() {
  const { name, uniqueId, from, to } = { ...task, from: new Date(task.from), to: new Date(task.to) };
  const client = libraries[library]();
  const found = { session: await client.sessionPost(), server: await client.serverGet() };
  found.group = await client.groupsPost({ name });
  const made = await client.devicesPost({ name, uniqueId: `new-${uniqueId}`, category: 'van' });
  found.device = await client.devicesIdPut({ ...made, groupId: found.group.id, contact: 'Anna' });
  found.devices = await client.devicesGet();
  const { id } = found.devices.find((device) => device.uniqueId === uniqueId);
  found.latest = await client.positionsGet(id);
  found.positions = await client.positionsGet(id, from, to);
  found.geofence = await client.geofencesPost({ name, area: 'CIRCLE (45.1 9.2, 250)' });
  found.geofences = await client.geofencesGet();
  found.driver = await client.driversPost({ name, uniqueId: `driver ${uniqueId}` });
  found.commandTypes = await client.commandsTypesGet(id);
  found.command = await client.commandsSendPost({ deviceId: id, type: 'custom', attributes: { data: 'WHERE#' } });
  found.user = await client.usersPost({
    name,
    email: `${uniqueId}@example.org`,
    password: task.password,
    readonly: true,
  });
  await client.permissionsPost({ userId: found.user.id, deviceId: id });
  found.users = await client.usersGet();
  found.notificationTypes = await client.notificationsTypesGet();
  for (const report of ['Route', 'Trips', 'Stops', 'Summary', 'Events']) {
    found[report] = await client.report(report, id, from, to);
  }
  await client.devicesIdDelete(made.id);
  found.left = await client.devicesGet();
  return found;
}

work().then(
  (found) => process.stdout.write(JSON.stringify(found)),
  (error) => {
    process.stderr.write(`${error.stack}\n${JSON.stringify(error.response?.data ?? error.response?.body ?? null)}\n`);
    process.exitCode = 1;
  },
);
