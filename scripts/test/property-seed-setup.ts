/** Runs before each file of the unit and PostgreSQL lanes. */
import { useSeed } from './property-seed.ts';

useSeed(process.env);
