/** The column of dash on every ground. */

import { playAll } from './matrix.js';

playAll('dash');
