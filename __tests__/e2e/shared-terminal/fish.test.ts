/** The column of fish on every ground. */

import { playAll } from './matrix.js';

playAll('fish');
