/** Prints a line for each cell of the matrix as it ends, and at the end how many were right and which were the slowest. */

const SLOWEST = 20;

/** How a cell is called, by what jest calls it. */
const words = { passed: 'right', failed: 'WRONG', pending: 'n/a' };

export default class CellsReporter {
  #cells = [];

  onTestCaseResult(_test, { ancestorTitles: [ground = '', shell = ''], title, status, duration }) {
    const word = words[status];
    if (word === undefined) return;
    const ms = Math.round(duration ?? 0);
    const line = `${ground.padEnd(9)} ${shell.padEnd(4)} ${word.padEnd(5)} ${String(ms).padStart(6)} ms  ${title}`;
    this.#cells.push({ column: `${ground} ${shell}`, word, ms, line });
    process.stderr.write(`${line}\n`);
  }

  /** Cells that are left out are not told one by one. */
  onTestResult(test, { testResults }) {
    for (const result of testResults) if (result.status === 'pending') this.onTestCaseResult(test, result);
  }

  onRunComplete(_contexts, { startTime }) {
    const count = (word) => this.#cells.filter((cell) => cell.word === word).length;
    const slowest = this.#cells.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST);
    const names = [...new Set(this.#cells.map(({ column }) => column))];
    const column = (name) => {
      const cells = this.#cells.filter((cell) => cell.column === name && cell.word !== words.pending);
      return `${name}: ${cells.length} cells, ${Math.round(cells.reduce((sum, { ms }) => sum + ms, 0) / 1000)} s`;
    };
    const lines = [
      'The slowest cells:',
      ...slowest.map(({ line }) => `  ${line}`),
      'The columns:',
      ...names.map((name) => `  ${column(name)}`),
      `${count(words.passed)} right, ${count(words.failed)} wrong, ${count(words.pending)} n/a in ${Math.round((Date.now() - startTime) / 1000)} s`,
    ];
    process.stderr.write(`${lines.join('\n')}\n`);
  }
}
