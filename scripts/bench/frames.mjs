/** What a frame costs: composing the dashboard and painting it. */
import { countingPrinter, cpuMs, freshState, load, round, withLines } from './measure.mjs';

const sizes = [
  [80, 24],
  [200, 60],
  [400, 100],
];

/** `frame.<what>.<size>.cpuMs` and `.bytes`. */
export async function measure() {
  const { createComposer } = await load('view/compose.js');
  const { visible } = await load('base/visible.js');
  const rows = {};
  for (const [cols, lines] of sizes) {
    const name = `${cols}x${lines}`;
    const { printer, counter } = await countingPrinter(cols, lines);
    const compose = createComposer();
    const state = await withLines(await freshState(cols, lines), 1000);
    printer.present(compose(state));
    rows[`frame.unchanged.${name}.cpuMs`] = round(cpuMs(400, () => printer.present(compose(state))));

    const full = { x: 0, y: 0, cols, rows: lines };
    const styles = [{ fg: 1 }, { bold: true }, {}, { fg: 0x1000000 | 0x40c080 }];
    const screen = (salt) =>
      Array.from({ length: lines }, (_, y) => ({
        segments: Array.from({ length: Math.ceil(cols / 10) }, (_, n) => ({
          text: visible(`│${salt}${((y * 31 + n * 7 + salt) % 89) + 10}word${salt}· `.padEnd(10)),
          style: styles[(n + y + salt) % styles.length],
        })),
      }));
    const pictures = [1, 2].map((salt) => ({ size: full, parts: [{ rect: full, rows: screen(salt) }], cursor: null }));
    for (const picture of pictures) printer.present(picture);
    rows[`frame.all.${name}.cpuMs`] = round(cpuMs(60, (call) => printer.present(pictures[call % 2])));
    counter.bytes = 0;
    printer.present(pictures[0]);
    rows[`frame.all.${name}.bytes`] = counter.bytes;

    const [one, two] = ['a', 'b'].map((letter) => {
      const changed = [...pictures[0].parts[0].rows];
      changed[5] = { segments: [{ text: visible(letter), style: {} }] };
      return { size: full, parts: [{ rect: full, rows: changed }], cursor: null };
    });
    printer.present(one);
    rows[`frame.oneCell.${name}.cpuMs`] = round(cpuMs(400, (call) => printer.present(call % 2 === 0 ? two : one)));
    counter.bytes = 0;
    printer.present(one === undefined ? two : one);
    printer.present(two);
    rows[`frame.oneCell.${name}.bytes`] = counter.bytes;
  }
  const { printer } = await countingPrinter(200, 60);
  const compose = createComposer();
  const long = await withLines(await freshState(200, 60), 100_000);
  printer.present(compose(long));
  rows['frame.unchanged.200x60.100k.cpuMs'] = round(cpuMs(400, () => printer.present(compose(long))));
  return rows;
}
