/** The least that a full-screen program on neo-blessed does: what the start of ours is held against. */
import blessed from 'blessed';

const screen = blessed.screen({ smartCSR: true });
blessed.box({ parent: screen, width: '50%', height: 5, border: 'line', content: 'hello world' });
screen.render();
