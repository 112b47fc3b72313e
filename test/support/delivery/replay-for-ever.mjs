// Sets records aside in the spool named by its arguments and replays them until it is killed. It is the target too: it
// rejects half of what it reads, and says on stdout what it accepts before it settles it.
const { openSpool, operate, POSITION } = await import('../../../dist/src/gateway/spool/index.js');
const { systemClock } = await import('../../../dist/src/platform/clock.js');
const { createLog } = await import('../../../dist/src/platform/log.js');
const [folder, count] = process.argv.slice(2);
const spool = await openSpool({
  folder,
  targets: ['api'],
  syncMs: 1,
  maxBytes: 64 * 1024 * 1024,
  minFreeBytes: 0,
  clock: systemClock,
  log: createLog('test', 'silent'),
});
const store = spool.setAside('api');
const reason = { code: 'invalid', detail: 'refused by the test' };
const rejection = (seq, bytes) => ({ seq, kind: POSITION, bytes, ...reason });
if (spool.lastSeq === 0) {
  const records = Array.from({ length: Number(count) }, (_, n) => Buffer.from(`"record-${n}"`));
  const { last } = await spool.append(records.map((bytes) => ({ kind: POSITION, bytes })));
  await store.add(
    records.map((bytes, n) => rejection(n + 1, bytes)),
    systemClock.now(),
  );
  spool.settle('api', last);
}
process.stdout.write('begin\n');
const reader = spool.reader('api');
async function receive() {
  for (;;) {
    while (reader.next()) {
      const { seq, start, end } = reader.view;
      const bytes = Buffer.from(reader.block.subarray(start, end));
      if (Math.random() < 0.5) await store.add([rejection(seq, bytes)], systemClock.now());
      // a pipe is written synchronously: the line is out before it is settled
      else process.stdout.write(`${bytes}\n`);
      spool.settle('api', seq);
    }
    if (!(await reader.fill())) await reader.whenMore();
  }
}
async function replay() {
  for (;;) {
    const ids = store.list().map(({ id }) => id);
    if (ids.length === 0) process.exit(0);
    await operate(spool, { do: 'replay', id: ids[Math.floor(Math.random() * ids.length)] });
  }
}
void receive();
void replay();
