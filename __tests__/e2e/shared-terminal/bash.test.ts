/** The column of bash on every ground. */

import { playAll } from './matrix.js';

playAll('bash');
