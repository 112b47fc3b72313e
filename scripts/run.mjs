// `npm run <command>`: makes the checkout ready, then hands over to the command line in this very process.
await import('./ready.mjs');
const { main } = await import('../dist/src/cli/main.js');
if (process.env.npm_lifecycle_event !== undefined) endWithNpm();
await main(process.argv.slice(2));

/** A SIGTERM for npm ends the shell between it and us, and leaves us out: the loss of that shell is our SIGTERM. */
function endWithNpm() {
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}
