/** The main job, as a person does it: ask, see the whole command, say yes or no, see it run, read the answer. */

import { answer, withEye } from './eye.js';

test('yes: the command runs in the mirror and in the real pane, with its exit code, and is answered', () =>
  withEye(async (eye, home) => {
    await eye.start();
    await eye.sees('This is the demo profile');
    await eye.line('how full is the disk?');
    const question = await eye.sees(/approve on this host/);
    expect(question).toMatch(/│ +df -h +│/);
    expect(question).toContain('1 line · 5 bytes');
    expect(await home.tmux('capture-pane', '-p', '-t', '=buddy-agent-mo:')).not.toContain('Filesystem');
    await answer(eye, 'y');
    const done = await eye.sees(/❯ df -h[\s\S]*The fullest file system is/);
    expect(done).toMatch(/exit 0 · .* lines/);
    expect(done).toContain('pane shared · idle · exit 0');
    expect(await home.tmux('capture-pane', '-p', '-t', '=buddy-agent-mo:')).toContain('Filesystem');
    await eye.leave();
    await eye.sees('READY>');
    expect(await home.tmux('ls')).toBe('');
  }));

test('no: nothing runs, and the model is told', () =>
  withEye(async (eye, home) => {
    await eye.start();
    await eye.line('run touch /tmp/never-$$-made');
    await eye.sees(/approve on this host/);
    await answer(eye, 'n');
    await eye.sees(/denied/);
    await eye.sees(/✓ #1|done/);
    expect(await home.tmux('capture-pane', '-p', '-t', '=buddy-agent-mo:')).not.toContain('never');
  }));

test('a second terminal that attaches sees the same pane', () =>
  withEye(async (eye, home) => {
    await eye.start();
    await eye.tmux('split-window', '-d', '-t', 'e', '-l', '12', `env -u TMUX tmux -L ${home.socket} attach`);
    await eye.line('run echo seen-$((40+2))');
    await eye.sees(/approve on this host/);
    await answer(eye, 'y');
    await eye.sees(/exit code 0/);
    const other = await eye.tmux('capture-pane', '-p', '-t', 'e.1');
    expect(other).toContain('seen-42');
  }));

test('keys pressed too early, Enter and a paste never answer a question', () =>
  withEye(async (eye) => {
    await eye.start();
    await eye.type('run echo x');
    await eye.press('Enter', 'y', 'y');
    await eye.sees(/approve on this host/);
    await eye.tmux('set-buffer', 'y\ny\n');
    await eye.tmux('paste-buffer', '-p', '-t', 'e');
    await eye.press('Enter');
    await eye.sees(/Not yet|approve on this host/);
    const shown = await eye.screen();
    expect(shown).toContain('approve on this host');
    expect(shown).not.toMatch(/❯ echo x/);
    await eye.press('Escape');
    await eye.sees(/denied/);
  }));

test('narrow and tiny windows are usable, and the wide one comes back', () =>
  withEye(
    async (eye) => {
      await eye.start('', /demo/);
      await eye.tmux('resize-window', '-t', 'e', '-x', '30', '-y', '8');
      await eye.sees(/30×8/);
      await eye.tmux('resize-window', '-t', 'e', '-x', '140', '-y', '40');
      await eye.sees(/pane shared · idle/);
    },
    70,
    30,
  ));
