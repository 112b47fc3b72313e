// Appends to the spool named by its arguments until it is killed, and says on stdout what was promised. All but the last
// records are settled if their number is given: then the files of small segments are written again and again.
const { openSpool, POSITION } = await import('../../../dist/src/gateway/spool/index.js');
const { systemClock } = await import('../../../dist/src/platform/clock.js');
const { createLog } = await import('../../../dist/src/platform/log.js');
const [folder, run, unsettled] = process.argv.slice(2);
const spool = await openSpool({
  folder,
  targets: ['api'],
  syncMs: 2,
  maxBytes: (unsettled === undefined ? 64 : 1) * 1024 * 1024,
  minFreeBytes: 0,
  clock: systemClock,
  log: createLog('test', 'silent'),
});
let next = 0;
async function write() {
  for (;;) {
    const texts = Array.from({ length: 1 + (next % 7) }, () => `${run}-${next++}-${'x'.repeat(next % 900)}`);
    // nothing is settled while nobody reads the lines, so it may be full
    await spool.whenRoom();
    const appended = spool.append(texts.map((text) => ({ kind: POSITION, bytes: Buffer.from(text) })));
    const { first } = await appended.catch(() => ({ first: 0 }));
    if (first === 0) continue;
    // settled once the lines are out: a pipe that is full takes them later
    process.stdout.write(texts.map((text, index) => `${first + index} ${text}\n`).join(''), () => {
      if (first > Number(unsettled)) spool.settle('api', first - Number(unsettled));
    });
  }
}
for (let writer = 0; writer < 16; writer++) void write();
