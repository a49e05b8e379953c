/** The column of ash on every ground. */

import { playAll } from './matrix.js';

playAll('ash');
