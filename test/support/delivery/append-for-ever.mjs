// Appends to the spool named by its arguments until it is killed, and says on stdout what was promised.
const { openSpool, POSITION } = await import('../../../dist/src/delivery/index.js');
const { systemClock } = await import('../../../dist/src/platform/clock.js');
const { createLog } = await import('../../../dist/src/platform/log.js');
const [folder, run] = process.argv.slice(2);
const spool = await openSpool({
  folder,
  targets: ['api'],
  syncMs: 2,
  maxBytes: 64 * 1024 * 1024,
  minFreeBytes: 0,
  clock: systemClock,
  log: createLog('test', 'silent'),
});
let next = 0;
async function write() {
  for (;;) {
    const texts = Array.from({ length: 1 + (next % 7) }, () => `${run}-${next++}-${'x'.repeat(next % 900)}`);
    const { first } = await spool.append(texts.map((text) => ({ kind: POSITION, bytes: Buffer.from(text) })));
    // a pipe is written synchronously: the line is out before anything else happens
    process.stdout.write(texts.map((text, index) => `${first + index} ${text}\n`).join(''));
  }
}
for (let writer = 0; writer < 16; writer++) void write();
