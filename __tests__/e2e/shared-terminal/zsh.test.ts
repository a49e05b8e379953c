/** The column of zsh on every ground. */

import { playAll } from './matrix.js';

playAll('zsh');
