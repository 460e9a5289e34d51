import type { CallLimit } from '../endpoint.ts'

/** Enough for an editor at each pause of typing, but not to keep the machine busy. */
export const lintLimit: CallLimit = { calls: 300, seconds: 60, bytes: 256 * 1024 }
