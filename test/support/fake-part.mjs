// Stands for the API or the gateway under a supervisor. Writes what happens to it, one line each, to FAKE_LOG.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { initChild, onStop, reportReady } = await import(process.env.FAKE_CHILD_MODULE);
const role = process.env.ROLE;
const say = (what) => appendFileSync(process.env.FAKE_LOG, `${role} ${what} ${process.pid}\n`);

initChild((error) => say(`failed ${error}`));
if (process.env.FAKE_SETUP_FAULT === role) process.exit(78);
const server = createServer((_, response) => response.end(JSON.stringify(process.env)));
server.listen(Number(process.env.PORT), '127.0.0.1', () => {
  const { port } = server.address();
  onStop(async () => {
    say('stopping');
    if (process.env.FAKE_STUCK === role) await new Promise(() => {});
    server.close();
    say('stopped');
  });
  say(`ready:${port}`);
  reportReady({ port, listens: [{ what: `fake ${role}`, where: `http://127.0.0.1:${port}` }] });
});
