/** A client that does not read is given up before the memory is full, and never sees a line without those before it. */

import { type LineSink, RpcOutput } from '../../lib/modes/rpc-output.js';
import type { WireLine } from '../../lib/protocol/wire.js';
import { FakeClock, settle } from '../support/fake-clock.js';

/** A pipe that nobody reads until `read`. */
function slowPipe() {
  const written: string[] = [];
  let waiting = 0;
  let fail: (error: Error) => void = () => undefined;
  let ended: () => void = () => undefined;
  const sink: LineSink = {
    get writableLength() {
      return waiting;
    },
    write(text) {
      written.push(text);
      waiting += text.length;
      return false;
    },
    on: (_, run) => {
      fail = run;
    },
    end: (run) => {
      ended = run;
    },
  };
  return {
    sink,
    written,
    read() {
      waiting = 0;
      ended();
    },
    fail: (message: string) => fail(new Error(message)),
  };
}

const line = (seq: number, message: string): WireLine => ({ seq, tsMs: 1, event: { type: 'warning', message } });

test('what waits has a bound; beyond it nothing is written any more, and that is said once', async () => {
  const pipe = slowPipe();
  const broken: string[] = [];
  const output = new RpcOutput(pipe.sink, (why) => broken.push(why));
  const mebibyte = 'x'.repeat(1024 * 1024);
  for (let seq = 1; seq <= 63; seq++) output.write(line(seq, mebibyte));
  expect(broken).toEqual([]);
  for (let seq = 64; seq <= 80; seq++) output.write(line(seq, mebibyte));
  expect(broken).toEqual(['nobody reads standard output: more than 64 MiB wait there']);
  expect(pipe.written.map((text) => JSON.parse(text).seq)).toEqual(Array.from({ length: 64 }, (_, at) => at + 1));
  expect(await output.close(new FakeClock())).toBe(false);
});

test('one that reads again in time loses nothing', async () => {
  const pipe = slowPipe();
  const output = new RpcOutput(pipe.sink, (why) => {
    throw new Error(why);
  });
  for (let seq = 1; seq <= 200; seq++) {
    output.write(line(seq, 'x'.repeat(1024 * 1024)));
    if (seq % 50 === 0) pipe.read();
  }
  const closed = output.close(new FakeClock());
  pipe.read();
  expect(await closed).toBe(true);
  expect(pipe.written).toHaveLength(200);
});

test('at the end it is waited for, but not for ever; a pipe that is closed is told of once', async () => {
  const clock = new FakeClock();
  const pipe = slowPipe();
  const broken: string[] = [];
  const output = new RpcOutput(pipe.sink, (why) => broken.push(why));
  output.write(line(1, 'hello\u202e'));
  expect(pipe.written).toEqual(['{"seq":1,"tsMs":1,"event":{"type":"warning","message":"hello\\u202e"}}\n']);
  const closed = output.close(clock);
  await settle();
  await clock.advance(5000);
  expect(await closed).toBe(false);
  pipe.fail('write EPIPE');
  pipe.fail('write EPIPE');
  output.write(line(2, 'more'));
  expect(broken).toEqual(['standard output cannot be written to: write EPIPE']);
  expect(pipe.written).toHaveLength(1);
});
