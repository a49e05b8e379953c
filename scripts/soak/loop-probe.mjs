/** Loaded into the program before it starts: measures its event loop and its memory into `probe-PID.json` of the folder named by `?into=`. */
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 500;
/** Starting is measured by the benchmarks. */
const STARTED_MS = 2000;

if (isMainThread) {
  const file = `${new URL(import.meta.url).searchParams.get('into')}/probe-${process.pid}.json`;
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  let mostRss = 0;
  const write = () => {
    mostRss = Math.max(mostRss, process.memoryUsage.rss());
    const ms = (nanoseconds) => Math.round(nanoseconds / 1e6);
    try {
      const told = { samples: delay.count, p99Ms: ms(delay.percentile(99)), maxMs: ms(delay.max), rssMB: Math.round(mostRss / 1e6) };
      writeFileSync(`${file}.new`, JSON.stringify(told));
      renameSync(`${file}.new`, file);
    } catch {
      // The round is over and its folder is gone, or no file can be opened just now.
    }
  };
  setTimeout(() => delay.reset(), STARTED_MS).unref();
  setInterval(write, EVERY_MS).unref();
}
