import type { CallLimit } from '../endpoint.ts'

/** Anybody may ask, an editor at each pause of typing; nobody keeps the machine busy with it. */
export const lintLimit: CallLimit = { calls: 300, seconds: 60, bytes: 256 * 1024 }
