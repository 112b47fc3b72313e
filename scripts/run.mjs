// `npm run <command>`: makes the checkout ready, then hands over to the command line in this very process.
await import('./ready.mjs');
const { main } = await import('../dist/src/cli/main.js');
if (process.env.npm_lifecycle_event !== undefined) endWithNpm();
await main(process.argv.slice(2));

/** A SIGTERM to npm ends the shell between npm and this process only: the end of the shell counts as SIGTERM. */
function endWithNpm() {
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}
